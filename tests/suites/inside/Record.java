import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.extension.*;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.*;
import org.junit.platform.launcher.core.*;

/** What record.py is to Python, for JUnit: runs the packages that the arguments name. As an extension it leaves out what has ended in an earlier process. */
public class Record implements TestExecutionListener, ExecutionCondition {
  static final Path FILE = Paths.get(System.getenv("SUITE_RECORD"));
  static final long TEST_NANOS = Long.parseLong(System.getenv("SUITE_TEST_SECONDS")) * 1_000_000_000L;
  static final long END = System.nanoTime() + Long.parseLong(System.getenv("SUITE_SECONDS")) * 1_000_000_000L;
  static final Set<String> DONE = new HashSet<>();
  static final Map<String, Long> RUNNING = new ConcurrentHashMap<>();
  static volatile boolean stopped;

  public static void main(String[] packages) throws Exception {
    for (String line : Files.readAllLines(FILE)) {
      String test = line.substring(2, line.indexOf("\", \""));
      if (line.endsWith(", \"again\"]")) {
        DONE.remove(test);
      } else {
        DONE.add(test);
      }
    }
    Thread watch = new Thread(Record::watch);
    watch.setDaemon(true);
    watch.start();
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request().configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true");
    for (String p : packages) {
      request.selectors(DiscoverySelectors.selectPackage(p));
    }
    LauncherFactory.create().execute(request.build(), new Record());
    if (!stopped) {
      write("", "finished");
    }
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static void watch() {
    while (true) {
      try {
        Thread.sleep(1000);
      } catch (InterruptedException e) {
        return;
      }
      RUNNING.forEach((test, began) -> {
        if (System.nanoTime() - began > TEST_NANOS) {
          write(test, "failed: out of time");
          Runtime.getRuntime().halt(3);
        }
      });
    }
  }

  static synchronized void write(String test, String status) {
    try {
      Files.write(FILE, ("[\"" + escaped(test) + "\", \"" + escaped(status) + "\"]\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String escaped(String s) {
    StringBuilder b = new StringBuilder();
    for (char c : s.toCharArray()) {
      b.append(c == '"' || c == '\\' ? "\\" + c : c < ' ' || c > '~' ? String.format("\\u%04x", (int) c) : "" + c);
    }
    return b.toString();
  }

  /** [engine:junit-jupiter]/[class:a.B]/[method:c()] is a.B/c(). */
  static String name(String id) {
    return id.replaceFirst("^\\[engine:[^/]*/", "").replaceAll("\\[[a-z-]+:([^\\]/]*)\\]", "$1");
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (System.nanoTime() > END) {
      stopped = true;
      return ConditionEvaluationResult.disabled("to be continued");
    }
    return DONE.contains(escaped(name(context.getUniqueId()))) ? ConditionEvaluationResult.disabled("has ended") : ConditionEvaluationResult.enabled("");
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      write(name(test.getUniqueId()), "began");
      RUNNING.put(name(test.getUniqueId()), System.nanoTime());
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    if (!reason.contains("to be continued") && !reason.contains("has ended")) {
      write(name(test.getUniqueId()), "skipped");
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    RUNNING.remove(name(test.getUniqueId()));
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      write(name(test.getUniqueId()), "failed: " + result.getThrowable().map(t -> t.toString().trim().split("\n")[0]).orElse(""));
    } else if (test.isTest()) {
      write(name(test.getUniqueId()), result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? "passed" : "skipped");
    }
  }
}
