/**
 * Nothing tells which of two patterns allows more: here are those that somebody has read, and found that the second
 * takes whatever the first took. The tests draw texts from the first and hold them against the second. After a release
 * an entry has done its work and goes.
 */
export const WIDER_PATTERNS: ReadonlyMap<string, string> = new Map([
  // redirect_url: the scheme in any case, every registered name of RFC 3986 and beyond ASCII, IPv6, any number of
  // digits for a port.
  [
    String.raw`^https?://(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\x5b::1\x5d)(?::[0-9]{1,5})?(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:[?](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(?:[#](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$`,
    String.raw`^[Hh][Tt][Tt][Pp][Ss]?://(?:(?:[A-Za-z0-9._~!$&'()*+,;=-]|[^\x00-\xa0]|%[0-9A-Fa-f]{2})+|\x5b[0-9A-Fa-f:.]{2,45}\x5d)(?::[0-9]*)?(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:[?](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(?:[#](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$`,
  ],
])
