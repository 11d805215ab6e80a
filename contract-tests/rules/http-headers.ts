/** Headers of HTTP that the contract does not declare, and why every message may have them. */
const OF_HTTP = {
  'content-type': 'the media type, which the contract declares as such (RFC 9110, section 8.3)',
  'content-length': 'how the body is framed (RFC 9112, section 6.2)',
  'transfer-encoding': 'how the body is framed (RFC 9112, section 6.1)',
  connection: 'of this connection, not of the message (RFC 9110, section 7.6.1)',
  'keep-alive': 'of this connection, not of the message',
  via: 'a proxy names itself (RFC 9110, section 7.6.3)',
}

export const OF_REPLIES: Readonly<Record<string, string>> = {
  ...OF_HTTP,
  date: 'when the message was made (RFC 9110, section 6.6.1)',
  'content-encoding': 'a proxy may compress what the client says it reads (RFC 9110, section 8.4)',
  vary: 'what a cache must look at (RFC 9110, section 12.5.5)',
  'strict-transport-security': 'of the host, not of the reply (RFC 6797)',
  'alt-svc': 'of the host, not of the reply (RFC 7838)',
}

export const OF_REQUESTS: Readonly<Record<string, string>> = {
  ...OF_HTTP,
  host: 'every request names its host (RFC 9110, section 7.2)',
  'user-agent': 'a program names itself (RFC 9110, section 10.1.5)',
  accept: 'what the sender reads (RFC 9110, section 12.5.1)',
  'accept-encoding': 'what the sender reads (RFC 9110, section 12.5.3)',
  'accept-language': 'what the sender reads (RFC 9110, section 12.5.4)',
  'x-forwarded-for': 'a proxy or tunnel before the receiver adds it',
  'x-forwarded-host': 'a proxy or tunnel before the receiver adds it',
  'x-forwarded-proto': 'a proxy or tunnel before the receiver adds it',
}
