import {
  INITIALIZE,
  LOOKUP,
  one,
  REFUSED,
  type AllowedOutcomes,
  type RequestWriter,
  type WireCase,
} from '../wire-case.ts'

// Methods that Node's parser knows, and more; every one of them is refused on a path of the contract.
const OTHER_METHODS = [
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'PURGE',
  'LINK',
  'M-SEARCH',
  'SEARCH',
  'MKCOL',
  'REPORT',
  'LOCK',
  'SOURCE',
  'SUBSCRIBE',
]

/** Methods, versions and shapes of the first line (RFC 9112, section 3). */
export function requestLineCases({ request, host }: RequestWriter): WireCase[] {
  const line = (name: string, text: string, allowed: AllowedOutcomes = REFUSED) =>
    one(`first line: ${name}`, Buffer.from(text, 'latin1'), allowed)
  const rest = request({}).toString('latin1').split('\r\n').slice(1).join('\r\n')
  const with1 = (name: string, first: string, allowed: AllowedOutcomes = REFUSED) =>
    line(name, `${first}\r\n${rest}`, allowed)
  return [
    ...OTHER_METHODS.map((method) =>
      one(`method: ${method} where only GET is`, request({ method }), [405, ...(method === 'M-SEARCH' ? REFUSED : [])]),
    ),
    one('method: GET where only POST is', request({ target: INITIALIZE }), [405]),
    one('method: TRACE with a body', request({ method: 'TRACE', body: 'x' }), [405, ...REFUSED]),
    one('method: HEAD where only GET is', request({ method: 'HEAD' }), [405], { bodiless: true }),
    one('method: HEAD on a path that is not there', request({ method: 'HEAD', target: '/nowhere' }), [404], {
      bodiless: true,
    }),
    one('method: TRACE on a path that is not there', request({ method: 'TRACE', target: '/nowhere' }), [404]),
    one(
      'method: a tunnel to another host (CONNECT)',
      request({ method: 'CONNECT', target: 'example.org:443' }),
      [400, 404, 405, 501],
    ),
    one('method: a tunnel to a path (CONNECT)', request({ method: 'CONNECT', target: LOOKUP }), [
      ...REFUSED,
      404,
      405,
      501,
    ]),
    one('method: OPTIONS for the whole server', request({ method: 'OPTIONS', target: '*' }), [...REFUSED, 404, 405]),
    ...['get', 'Get', 'post', 'GETT', 'NONSENSE', 'G\0T', 'G@T', '"GET"', 'X'.repeat(10_000)].map((method) =>
      one(
        `method: ${method.length > 20 ? `a name of ${method.length} letters` : JSON.stringify(method)}`,
        request({ method }),
        [...REFUSED, 405, 431, 501],
      ),
    ),
    // Nothing is disclosed to a protocol version without keys.
    line('HTTP/0.9', `GET ${LOOKUP}\r\n\r\n`, [401, 505, ...REFUSED]),
    line('HTTP/0.9 by its name', `GET ${LOOKUP} HTTP/0.9\r\n\r\n`, [401, 505, ...REFUSED]),
    one('first line: HTTP/1.0', request({ version: 'HTTP/1.0' }), [200]),
    one('first line: HTTP/1.0 without Host', request({ version: 'HTTP/1.0', without: ['host'] }), [200]),
    one(
      'first line: HTTP/1.0 that wants to stay',
      request({ version: 'HTTP/1.0', headers: ['connection: keep-alive'] }),
      [200],
    ),
    ...['HTTP/1.2', 'HTTP/1.9'].map((version) =>
      one(`first line: ${version}`, request({ version }), [200, 505, ...REFUSED]),
    ),
    // Node's parser knows these by name and reads what follows as HTTP/1.1: RFC 9110, section 2.5 allows it, and nobody
    // is deceived.
    ...['HTTP/2.0', 'RTSP/1.0'].map((version) =>
      one(`first line: version ${version}`, request({ version }), [200, 505, ...REFUSED]),
    ),
    ...[
      'HTTP/3.0',
      'HTTP/9.9',
      'HTTP/1',
      'HTTP/1.',
      'HTTP/11',
      'HTTP/1.10',
      'HTTP/-1.1',
      'HTTP/1,1',
      'http/1.1',
      'HTTPS/1.1',
      'ICE/1.0',
      '',
    ].map((version) =>
      one(`first line: version ${JSON.stringify(version)}`, request({ version }), [505, 405, ...REFUSED]),
    ),
    line('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
    line('a TLS greeting', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03' + '\x2a'.repeat(160)),
    line('the greeting of SSH', 'SSH-2.0-OpenSSH_9.6\r\n'),
    line('a command of Redis', '*1\r\n$4\r\nPING\r\n'),
    line('a reply instead of a request', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    line('zeros', '\0'.repeat(512)),
    line('bytes of no meaning', Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')),
    with1('two spaces', `GET  ${LOOKUP} HTTP/1.1`, [200, ...REFUSED]),
    with1('tabs for spaces', `GET\t${LOOKUP}\tHTTP/1.1`),
    with1('spaces behind', `GET ${LOOKUP} HTTP/1.1   `, [200, ...REFUSED]),
    with1('a space in front', ` GET ${LOOKUP} HTTP/1.1`),
    with1('no target', 'GET HTTP/1.1'),
    with1('a line break alone in front', `\r\nGET ${LOOKUP} HTTP/1.1`, [200, ...REFUSED]),
    with1('fifty line breaks in front', `${'\r\n'.repeat(50)}GET ${LOOKUP} HTTP/1.1`, [200, ...REFUSED]),
    line('ended by a line feed only', `GET ${LOOKUP} HTTP/1.1\n${rest}`, [200, ...REFUSED]),
    line('ended by a carriage return only', `GET ${LOOKUP} HTTP/1.1\r${rest}`),
    line('line feeds only, all over', `GET ${LOOKUP} HTTP/1.1\nhost: ${host}\n\n`, [401, ...REFUSED]),
  ]
}
