/** Headers of HTTP that no message declares, and why a request may have them. */
export const HTTP_OWN_OF_REQUESTS: Readonly<Record<string, string>> = {
  host: 'every request names its host (RFC 9110, section 7.2)',
  'content-type': 'the media type, which the contract declares as such (RFC 9110, section 8.3)',
  'content-length': 'how the body is framed (RFC 9112, section 6.2)',
  'transfer-encoding': 'how the body is framed (RFC 9112, section 6.1)',
  connection: 'of this connection, not of the message (RFC 9110, section 7.6.1)',
  'keep-alive': 'of this connection, not of the message',
  'user-agent': 'a program names itself (RFC 9110, section 10.1.5)',
  accept: 'what the sender reads (RFC 9110, section 12.5.1)',
  'accept-encoding': 'what the sender reads (RFC 9110, section 12.5.3)',
  'accept-language': 'what the sender reads (RFC 9110, section 12.5.4)',
  via: 'a proxy names itself (RFC 9110, section 7.6.3)',
  'x-forwarded-for': 'a proxy or tunnel before the receiver adds it',
  'x-forwarded-host': 'a proxy or tunnel before the receiver adds it',
  'x-forwarded-proto': 'a proxy or tunnel before the receiver adds it',
}
