import { one, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

const OTHER_METHODS = ['TRACE', 'PROPFIND', 'PURGE', 'LINK', 'SEARCH', 'REPORT', 'LOCK', 'SOURCE', 'SUBSCRIBE']
const NO_METHODS = ['get', 'Get', 'GETT', 'NONSENSE', 'G\0T', 'G@T', '"GET"', 'X'.repeat(10_000)]
const NO_VERSIONS = ['HTTP/3.0', 'HTTP/9.9', 'HTTP/1', 'HTTP/1.', 'HTTP/11', 'HTTP/1.10', 'HTTP/-1.1', 'HTTP/1,1']
const OTHER_PROTOCOLS = ['http/1.1', 'HTTPS/1.1', 'ICE/1.0', '']

/** Methods, versions and shapes of the first line (RFC 9112, section 3). */
export function requestLineCases({ request, target, host, must, may, good }: RequestWriter): WireCase[] {
  const line = (name: string, text: string, allowed: AllowedOutcomes = must()) =>
    one(`first line: ${name}`, Buffer.from(text, 'latin1'), allowed)
  const rest = request().toString('latin1').split('\r\n').slice(1).join('\r\n')
  const first = (name: string, text: string, allowed?: AllowedOutcomes) => line(name, `${text}\r\n${rest}`, allowed)
  const version = (text: string, allowed: AllowedOutcomes) =>
    one(`first line: version ${JSON.stringify(text)}`, request({ version: text }), allowed)
  const lenient = may([200, 400, 'close'])
  return [
    ...OTHER_METHODS.map((method) => one(`method: ${method} where only GET is`, request({ method }), may([405]))),
    one('method: TRACE with a body', request({ method: 'TRACE', body: 'x' }), may([405, 400, 'close'])),
    one('method: HEAD', request({ method: 'HEAD' }), may([405]), { bodiless: true }),
    one(
      'method: CONNECT to another host',
      request({ method: 'CONNECT', target: 'example.org:443' }),
      must([400, 404, 405, 501]),
    ),
    one('method: CONNECT to a path', request({ method: 'CONNECT' }), must([400, 'close', 404, 405, 501])),
    one(
      'method: OPTIONS for the whole server',
      request({ method: 'OPTIONS', target: '*' }),
      may([400, 'close', 404, 405]),
    ),
    ...NO_METHODS.map((method) => {
      const name = method.length > 20 ? `a name of ${method.length} letters` : JSON.stringify(method)
      return one(`method: ${name}`, request({ method }), must([400, 'close', 405, 431, 501]))
    }),
    // Nothing is disclosed to a protocol version without keys.
    line('HTTP/0.9', `GET ${target}\r\n\r\n`, may([401, 505, 400, 'close'])),
    line('HTTP/0.9 by its name', `GET ${target} HTTP/0.9\r\n\r\n`, must([401, 505, 400, 'close'])),
    one('first line: HTTP/1.0', request({ version: 'HTTP/1.0' }), may([200])),
    one('first line: HTTP/1.0 without Host', request({ version: 'HTTP/1.0', without: ['host'] }), may([200])),
    one(
      'first line: HTTP/1.0 that wants to stay',
      request({ version: 'HTTP/1.0', headers: ['connection: keep-alive'] }),
      may([200]),
    ),
    // A minor version is read as 1.1 (RFC 9110, section 2.5); Node's parser knows the last two by name, too.
    ...['HTTP/1.2', 'HTTP/1.9', 'HTTP/2.0', 'RTSP/1.0'].map((text) => version(text, may([200, 505, 400, 'close']))),
    ...NO_VERSIONS.map((text) => version(text, must([505, 405, 400, 'close']))),
    ...OTHER_PROTOCOLS.map((text) => version(text, must([505, 405, 400, 'close']))),
    line('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', may([400, 'close'])),
    line('a TLS greeting', `\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03${'\x2a'.repeat(160)}`),
    line('the greeting of SSH', 'SSH-2.0-OpenSSH_9.6\r\n'),
    line('a command of Redis', '*1\r\n$4\r\nPING\r\n'),
    line('a reply instead of a request', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    line('zeros', '\0'.repeat(512)),
    line('bytes of no meaning', Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')),
    first('two spaces', `GET  ${target} HTTP/1.1`, lenient),
    first('tabs for spaces', `GET\t${target}\tHTTP/1.1`),
    first('spaces behind', `GET ${target} HTTP/1.1   `, lenient),
    first('a space in front', ` GET ${target} HTTP/1.1`),
    first('no target', 'GET HTTP/1.1'),
    first('a version that is none', `GET ${target} nonsense`),
    first('a line break alone in front', `\r\nGET ${target} HTTP/1.1`, lenient),
    first('fifty line breaks in front', `${'\r\n'.repeat(50)}GET ${target} HTTP/1.1`, lenient),
    line('ended by a line feed only', `GET ${target} HTTP/1.1\n${rest}`, lenient),
    line('ended by a carriage return only', `GET ${target} HTTP/1.1\r${rest}`),
    line('line feeds only, all over', `GET ${target} HTTP/1.1\nhost: ${host}\n\n`, may([401, 400, 'close'])),
    one('first line: good', request(), good()),
  ]
}
