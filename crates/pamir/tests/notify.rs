//! LISTEN and NOTIFY over the wire: who hears without asking, and who does not listen.
mod wire;
use std::time::Duration;
use wire::Server;

/// An idle client hears at once what it listens to, one in a transaction when that is over; one that never takes it is ended, and nobody else is.
#[test]
fn what_is_said_reaches_idle_clients() {
    let server = Server::start();
    let (mut idle, mut busy, mut deaf, mut says) =
        (server.connect(), server.connect(), server.connect(), server.connect());
    for c in [&mut idle, &mut busy, &mut deaf] {
        c.query("listen ch");
    }
    busy.query("begin");
    deaf.query("begin");
    says.query("notify ch, 'one'");
    assert!(idle.finish(Some(Duration::from_secs(1))).is_none());
    assert_eq!(idle.lines(), ["(notification) ch: one"]);
    assert!(busy.finish(Some(Duration::from_millis(200))).is_none() && busy.lines().is_empty());
    assert_eq!(busy.query("commit"), ["COMMIT", "(notification) ch: one"]);
    // More than a session may leave unread.
    let payload = "x".repeat(7000);
    for i in 0..25 {
        says.query(&format!(
            "select count(pg_notify('ch', '{i} ' || n || '{payload}')) from generate_series(1, 100) n"
        ));
    }
    let ended = deaf.query("select 1");
    assert!(ended.iter().any(|l| l.contains("57P01")), "{ended:?}");
    for c in [&mut idle, &mut busy] {
        let said = c.query("select 'still here'");
        let heard = c.query("unlisten *").iter().chain(&said).filter(|l| l.contains(&payload)).count();
        assert!(said.contains(&"still here".to_string()) && heard == 2500, "{heard}");
    }
}
