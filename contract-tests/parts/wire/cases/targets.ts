import { one, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

/** Request targets (RFC 9112, section 3.2): encodings, forms and lengths that a client library would not send. */
export function targetCases({ request, target, host, must, may }: RequestWriter): WireCase[] {
  const get = (name: string, text: string, allowed: AllowedOutcomes) =>
    one(`target: ${name}`, request({ target: text }), allowed)
  const [path = '', query = ''] = target.split('?')
  const below = (name: string, text: string) => get(name, `${path}/${text}`, may([400, 404]))
  const long = (length: number) => `/${'a'.repeat(length - 1)}`
  const queried = (name: string, text: string, allowed: AllowedOutcomes) =>
    get(`query with ${name}`, `${path}?${query}&${text}`, allowed)
  const refused = must([400, 'close', 404])
  return [
    get('a percent sign alone', '/%', must([400])),
    below('a percent sign with one digit', '%2'),
    below('letters that are no percent encoding', '%zz'),
    below('an encoded NUL', '%00'),
    below('an encoded byte that is no UTF-8', '%ff%fe'),
    below('an encoded overlong slash', '..%c0%af..%c0%af'),
    below('an encoded surrogate (CESU-8)', '%ed%a0%80'),
    below('an encoded line break that would be a header', '%0d%0aX-Injected:%201'),
    below('an encoded way up', '%2e%2e%2f%2e%2e%2fetc%2fpasswd'),
    below('quotes and SQL', '%27%20or%201=1--'),
    get('two slashes in front', `/${path}`, may([404])),
    get('two slashes and a host', `//example.org${path}`, may([404])),
    get('a way up', `/nowhere/..${target}`, may([200, 401, 404])),
    get('a way up out of the root', '/../../../../etc/passwd', must([400, 404])),
    get('backslashes', path.replaceAll('/', '\\'), must([400, 404, 'close'])),
    get('a fragment', `${target}#part`, may([200, 400, 404])),
    get('path parameters', `${path};v=1`, may([404])),
    get('a space within', `${path}/a b`, must()),
    get('a tab within', `${path}/a\tb`, refused),
    get('a NUL byte', `${path}/a\0b`, must()),
    get('a DEL byte', `${path}/a\x7fb`, refused),
    get('bytes beyond ASCII', `${path}/a\xe4b`, may([400, 'close', 404])),
    get('the whole URL', `http://${host}${target}`, may([200])),
    get('the whole URL of another host', `http://example.org${target}`, may([200, 400, 404, 421])),
    get('the whole URL with user and password', `http://user:password@${host}${target}`, may([200, 400])),
    get('the whole URL of another scheme', 'ftp://example.org/data', may([400, 404])),
    get('the whole URL of another scheme, without a path', 'gopher://example.org', may([400, 404])),
    ...['example.org:443', '*', '?', 'nowhere'].map((text) =>
      get(`no slash in front: ${text}`, text, may([400, 'close', 404])),
    ),
    queried('a percent sign alone', 'x=%', may([200, 400])),
    queried('letters that are no percent encoding', 'x=%zz', may([200, 400])),
    queried('an encoded NUL', 'x=%00', may([200, 400])),
    queried('an encoded byte that is no UTF-8', 'x=%ff%fe', may([200, 400])),
    queried('brackets that some read as an object', 'x[a]=1&x[]=2', may([200, 400])),
    queried('empty names and values', '=&=&&=', may([200])),
    queried('names that objects have', '__proto__=1&constructor=1&toString=2&hasOwnProperty=3', may([200])),
    queried('2,000 parameters', 'p=1&'.repeat(2_000), may([200, 400, 414, 431])),
    queried('raw UTF-8', 'n=\xc3\xa4', may([200, 400, 'close'])),
    get('8,000 characters', long(8_000), must([404, 414])),
    get('16,384 characters', long(16_384), must([404, 414, 431, 'close'])),
    get('1,000,000 characters', long(1_000_000), must([414, 431, 'close'])),
    get('a query of 70,000 characters', `${target}&x=${'y'.repeat(70_000)}`, may([414, 431, 'close'])),
  ]
}
