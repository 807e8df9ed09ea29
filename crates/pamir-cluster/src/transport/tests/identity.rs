//! Who may speak with whom: versions, clusters, certificates, clocks; questions and streams.
use super::*;

#[test]
fn versions_that_do_not_meet_are_named_on_both_sides() {
    let mut old = config(1, None);
    old.identity = old.identity.versions(1, 2);
    let mut new = config(2, None);
    new.identity = new.identity.versions(3, 5);
    let (a, b) = (Node::with(old), Node::with(new));
    a.knows(&b);
    b.knows(&a);
    for e in [a.error(2), b.error(1)] {
        assert_eq!(e.code(), state::FEATURE_NOT_SUPPORTED, "{e:?}");
        let detail = e.data().detail.clone().unwrap();
        assert!(detail.contains("versions 1 to 2") && detail.contains("versions 3 to 5"), "{detail}");
    }
    // The one in between speaks with both, each in its own.
    let mut between = config(3, None);
    between.identity = between.identity.versions(2, 4);
    let c = Node::with(between);
    c.knows(&a);
    c.knows(&b);
    c.saw.connected(1, 1);
    c.saw.connected(2, 1);
}

#[test]
fn strangers_are_refused_with_a_reason_on_both_sides() {
    let a = Node::new(1, None);
    let mut other = config(2, None);
    other.identity.cluster = *b"another cluster!";
    let b = Node::with(other);
    a.knows(&b);
    b.knows(&a);
    for e in [a.error(2), b.error(1)] {
        assert_eq!(e.code(), state::INVALID_AUTHORIZATION_SPECIFICATION);
        assert!(e.message().contains("another cluster"), "{}", e.message());
    }
    // The same id twice; itself; another id than was said.
    let twin = Node::new(1, None);
    twin.transport.set_peer(9, &a.address());
    let e = twin.error(9);
    assert!(e.message().contains("the same node id, 1"), "{}", e.message());
    a.transport.set_peer(8, &a.address());
    assert!(a.error(8).message().contains("the same node id, 1"));
    let c = Node::new(3, None);
    a.transport.set_peer(4, &c.address());
    assert!(a.error(4).message().ends_with("is node 3, not node 4"), "{}", a.error(4).message());
    // One that was removed.
    a.saw.removed.lock().insert(5);
    let d = Node::new(5, None);
    d.knows(&a);
    let e = d.error(1);
    assert!(e.message().ends_with("node 5 was removed from the cluster"), "{}", e.message());
    let n = a.transport.counters();
    assert!(n.refused > 0 && n.refused_by_others > 0 && n.violations == 0, "{n:?}");
    assert_eq!(a.saw.count(|s| matches!(s, Saw::Connected(1 | 2 | 5 | 9))), 0);
}

#[test]
fn certificates_are_looked_at_by_both_sides() {
    let ca = Authority::new();
    let day = Duration::from_secs(86_400);
    let now = SystemTime::now();
    cert::make_node_between(ca.0.path(), "old", &["127.0.0.1".into()], now - 9 * day, now - day).unwrap();
    let (a, b) = pair([Some(ca.node("a")), Some(ca.load("old"))]);
    a.knows(&b);
    b.knows(&a);
    let (ea, eb) = (a.error(2), b.error(1));
    assert_eq!(
        (ea.code(), eb.code()),
        (state::INVALID_AUTHORIZATION_SPECIFICATION, state::INVALID_AUTHORIZATION_SPECIFICATION)
    );
    let expired = ca.load("old").own().expires();
    assert!(
        ea.message().ends_with(&format!("expired on {expired}")) && ea.message().contains(&b.address()),
        "{}",
        ea.message()
    );
    assert!(
        eb.message().contains(&a.address()) && eb.message().ends_with(&format!("which expired on {expired}")),
        "{}",
        eb.message()
    );

    // Of another authority.
    let other = Authority::new();
    let c = Node::new(3, Some(other.node("c")));
    a.knows(&c);
    c.knows(&a);
    for e in [a.error(3), c.error(1)] {
        assert_eq!(e.code(), state::INVALID_AUTHORIZATION_SPECIFICATION);
        assert!(e.message().contains("not signed by"), "{}", e.message());
    }
    // For another host.
    cert::make_node(ca.0.path(), "d", &["elsewhere.example".into()], 10).unwrap();
    let d = Node::new(4, Some(ca.load("d")));
    a.knows(&d);
    let e = a.error(4);
    assert!(
        e.message().ends_with("is for another host") && e.data().detail.as_ref().unwrap().contains("elsewhere"),
        "{e:?}"
    );
    // One side with TLS, the other without.
    let p = Node::new(5, None);
    a.knows(&p);
    p.knows(&a);
    for e in [a.error(5), p.error(1)] {
        assert!(e.message().contains("TLS"), "{}", e.message());
    }
    assert_eq!(a.saw.count(|s| matches!(s, Saw::Connected(_))), 0);
}

#[test]
fn plain_connections_stay_on_this_machine() {
    let all = "0.0.0.0:0".parse().unwrap();
    let saw = Arc::new(Witness::default());
    let e = Transport::start(Config { listen: all, ..config(1, None) }, saw.clone()).map(|_| ()).unwrap_err();
    assert_eq!(e.code(), state::OBJECT_NOT_IN_PREREQUISITE_STATE);
    let mut open = Config { listen: all, ..config(1, None) };
    open.identity.insecure = true;
    drop(Transport::start(open, saw).unwrap());
    let a = Node::new(1, None);
    a.transport.set_peer(2, "192.0.2.1:1");
    assert_eq!(a.error(2).code(), state::OBJECT_NOT_IN_PREREQUISITE_STATE);
    a.transport.set_peer(3, "no address");
    assert_eq!(a.error(3).code(), state::INVALID_PARAMETER_VALUE);
    // A port on which nobody listens.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    a.transport.set_peer(4, &free.to_string());
    let e = a.error(4);
    assert!(e.code() == state::CONNECTION_FAILURE && e.message().contains("connection refused"), "{e:?}");
    // A name is looked up.
    let b = Node::new(5, None);
    a.transport.set_peer(5, &format!("localhost:{}", b.transport.local_addr().port()));
    a.saw.connected(5, 1);
}

#[test]
fn clocks_that_differ_are_reported() {
    #[derive(Debug)]
    struct Ahead(i64);
    impl Platform for Ahead {
        fn time(&self) -> i64 {
            Real.time() + self.0
        }
        fn random(&self, out: &mut [u8]) -> Result<()> {
            Real.random(out)
        }
        fn processors(&self) -> usize {
            1
        }
    }
    let hour = 3_600_000_000;
    let a = Node::new(1, None);
    let b = Node::with(Config { platform: Arc::new(Ahead(hour)), ..config(2, None) });
    a.knows(&b);
    let off = |me: &Node, other: NodeId| {
        me.saw.until("a clock", |saw| {
            saw.iter().find_map(|s| if let Saw::Clock(n, micros) = s { (*n == other).then_some(*micros) } else { None })
        })
    };
    let (ahead, behind) = (off(&a, 2), off(&b, 1));
    assert!((ahead - hour).abs() < 60_000_000 && (behind + hour).abs() < 60_000_000, "{ahead} {behind}");
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(a.saw.count(|s| matches!(s, Saw::Clock(..))), 1, "said once");
}

#[test]
fn a_question_of_one_who_is_not_in_yet() {
    both_ways(|[ta, tb, _]| {
        let a = Node::new(1, ta);
        let mut me = Identity::new([0; 16], 0, "127.0.0.1:1");
        me.tls = tb;
        for len in [0, 5, 700_000] {
            let question: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let mut want = question.clone();
            want.reverse();
            want.push(0);
            assert_eq!(ask(&me, &a.address(), &question, PATIENCE).unwrap(), want);
        }
        me.cluster = *b"another cluster!";
        let e = ask(&me, &a.address(), b"?", PATIENCE).unwrap_err();
        assert!(
            e.code() == state::INVALID_AUTHORIZATION_SPECIFICATION && e.message().contains("another cluster"),
            "{e:?}"
        );
        me = me.versions(7, 9);
        let e = ask(&me, &a.address(), b"?", PATIENCE).unwrap_err();
        assert!(
            e.code() == state::FEATURE_NOT_SUPPORTED && e.data().detail.as_ref().unwrap().contains("7 to 9"),
            "{e:?}"
        );
        // Somebody who does not answer.
        let deaf = TcpListener::bind("127.0.0.1:0").unwrap();
        let e = ask(&me, &deaf.local_addr().unwrap().to_string(), b"?", Duration::from_millis(200)).unwrap_err();
        assert!(e.message().ends_with("did not answer in time"), "{e:?}");
    });
}
