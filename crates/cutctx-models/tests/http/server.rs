//! A server that answers what a test tells it, and remembers what it was asked.

use alloc::sync::Arc;
use core::time::Duration;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use cutctx_context::ModelRequest;
use cutctx_messages::{Message, TextPart};
use cutctx_models::http::{Api, ApiKey, CountApi, HttpCounter, HttpModel, UreqTransport};
use cutctx_models::{BoxFuture, Completion, FailedAttempt, SummaryModel, TokenCounter, block_on};
use cutctx_types::Role;

/// What the server was asked.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: serde_json::Value,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// What the server does with a connection, once it has read the request.
pub(crate) type Reply = Box<dyn FnOnce(&mut TcpStream) + Send>;

/// A server that answers one request after the other, each on its own connection.
pub(crate) struct Server {
    pub(crate) address: String,
    asked: Receiver<Asked>,
}

impl Server {
    pub(crate) fn answering(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (tell, asked) = channel();
        thread::spawn(move || {
            for reply in replies {
                let (mut stream, _) = listener.accept().unwrap();
                if let Some(request) = read(&mut stream) {
                    tell.send(request).unwrap_or_default();
                    reply(&mut stream);
                }
            }
        });
        Self { address, asked }
    }

    pub(crate) fn once(reply: Reply) -> Self {
        Self::answering(vec![reply])
    }

    pub(crate) fn asked(&self) -> Asked {
        self.asked.recv_timeout(Duration::from_secs(20)).unwrap()
    }

    pub(crate) fn model(&self, api: Api) -> HttpModel {
        HttpModel::new(api, "model-1", Arc::new(UreqTransport::new()))
            .with_base_url(&format!("http://{}/v1/", self.address))
            .with_key(ApiKey::new("secret-key").unwrap())
            .with_timeout(Duration::from_secs(10))
    }

    pub(crate) fn counter(&self, api: CountApi) -> HttpCounter {
        HttpCounter::new(api, "model-1", Arc::new(UreqTransport::new()))
            .with_base_url(&format!("http://{}/v1/", self.address))
            .with_key(ApiKey::new("secret-key").unwrap())
            .with_timeout(Duration::from_secs(10))
    }

    /// What the provider counts for two messages.
    pub(crate) fn count(&self, api: CountApi) -> Result<Option<u64>, FailedAttempt> {
        block_on(self.counter(api).count(&request().messages))
    }

    pub(crate) fn ask(&self, api: Api) -> Result<Completion, FailedAttempt> {
        block_on(self.model(api).complete(&request()))
    }
}

/// A system text and a question.
pub(crate) fn request() -> ModelRequest {
    let text = |role, text: &str| Message::new(role, vec![TextPart::new(text).unwrap().into()]).unwrap();
    ModelRequest::new(vec![text(Role::System, "sum it up"), text(Role::User, "pole 7 is 4 m tall")])
}

/// Answers with a status and a JSON body.
pub(crate) fn json(status: u16, body: &str) -> Reply {
    with_headers(status, "", body)
}

/// Answers with more headers, each ended by a line break.
pub(crate) fn with_headers(status: u16, headers: &str, body: &str) -> Reply {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{headers}content-length: {length}");
    let answer = format!("{head}\r\nconnection: close\r\n\r\n{body}");
    Box::new(move |stream| stream.write_all(answer.as_bytes()).unwrap_or_default())
}

/// Writes these bytes and hangs up.
pub(crate) fn raw(bytes: &'static [u8]) -> Reply {
    Box::new(move |stream| stream.write_all(bytes).unwrap_or_default())
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut chunk).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().unwrap())
        });
        if body.len() >= length.unwrap_or(0) {
            return Some(Asked { head: head.to_owned(), body: serde_json::from_str(body).unwrap() });
        }
    }
}

/// An answer that never ends, and who is told when nobody listens to it any more.
#[expect(clippy::disallowed_methods, reason = "a server in trouble takes its time")]
pub(crate) fn endless() -> (Reply, Receiver<()>) {
    let (tell, told) = channel();
    let reply: Reply = Box::new(move |stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n").unwrap();
        while stream.write_all(b" ").is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
        tell.send(()).unwrap();
    });
    (reply, told)
}

/// Drops a future that has begun to ask a server with an [`endless`] answer.
pub(crate) fn assert_hangs_up<T>(mut waiting: BoxFuture<'_, T>, server: &Server, told: &Receiver<()>) {
    // The exchange begins with the first poll.
    let mut context = core::task::Context::from_waker(core::task::Waker::noop());
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    server.asked();
    drop(waiting);
    assert_eq!(told.recv_timeout(Duration::from_secs(20)), Ok(()));
}
