import { one, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

/**
 * Bytes in the headers of our contract, and its limits: what other contracts do not have. Keys that a client library
 * can send are in `declared` and `inputs`, a body of a megabyte that says its length in `declared`.
 */
export function ourCases({ request, submission, accepted }: RequestWriter): WireCase[] {
  const get = (name: string, headers: readonly string[], allowed: AllowedOutcomes, without: readonly string[] = []) =>
    one(`header: ${name}`, request({ headers, without }), allowed)
  const key = ['public-key']
  const refused: AllowedOutcomes = [401, 400, 'close']
  return [
    get('a public key of 4,000 characters', [`public-key: ${'k'.repeat(4_000)}`], [401], key),
    get('a public key of bytes beyond ASCII', ['public-key: \xff\xfe\x80'], refused, key),
    get('a public key called __proto__', ['public-key: __proto__'], [401], key),
    get('a key that goes on in the next line', ['public-key:\r\n pub_other'], refused, key),
    get('x-api-version in Arabic digits', [`x-api-version: \xd9\xa1`], [400, 'close'], ['x-api-version']),
    one('target: a reference of 5,000 characters', request({ target: REFERENCE + 'R'.repeat(5_000) }), [400, 404, 414]),
    one('target: a reference with a wrong percent encoding', request({ target: `${REFERENCE}ORDER-%GG-0001` }), [400]),
    one(
      'target: an encoded line break in a reference',
      request({ target: `${REFERENCE}A%0d%0aX-Injected:%201` }),
      [400],
    ),
    ...(submission
      ? [
          ...[[], ['expect: 100-continue']].map((more) =>
            one(
              `body: announced as 10 GB${more.length > 0 ? ', with an expectation' : ''}`,
              submission.post('{', { headers: ['content-length: 10000000000', ...more] }),
              [413, ...(more.length > 0 ? [417] : []), 'close'],
            ),
          ),
          // Read as two characters, they would make the name longer than it may be.
          {
            name: 'body: a letter in two pieces, in a name of the greatest length',
            pieces: insideLetter(submission.post(named(submission.text()))),
            pauseMs: 50,
            allowed: [accepted],
          },
          // Without a length a server has to count.
          ...[submission.text().padEnd(TOO_LARGE), submission.text().padEnd(MEBIBYTE)].map((text) =>
            one(
              `body: of ${text.length} bytes in chunks`,
              submission.post(inChunks(text), { headers: ['transfer-encoding: chunked'] }),
              [413, 'close'],
            ),
          ),
        ]
      : []),
  ]
}

const REFERENCE = '/data/transaction/verify/'
const MEBIBYTE = 1_048_576
/** One byte more than a body may have. */
const TOO_LARGE = 65_537
const CHUNK = 16_384
const NAME_MAX = 100

/** As HTTP/1.1 writes a body of unknown length. */
const inChunks = (text: string): string =>
  [...Array(Math.ceil(text.length / CHUNK)).keys(), 0]
    .map((_, index) => text.slice(index * CHUNK, (index + 1) * CHUNK))
    .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
    .join('')

const named = (body: string): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), customer_name: 'é'.repeat(NAME_MAX) })

/** Two pieces, with the first letter of two bytes on both sides. */
function insideLetter(bytes: Buffer): Buffer[] {
  const inside = bytes.indexOf('é') + 1
  return [bytes.subarray(0, inside), bytes.subarray(inside)]
}
