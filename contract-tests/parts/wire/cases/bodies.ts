import { one, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

const LIMIT_BYTES = 65_536
const MEBIBYTE = 1_048_576

/** Bodies as text: sizes, character encodings, and near-JSON (RFC 8259). */
export function bodyCases({ collect, collection, accepted }: RequestWriter): WireCase[] {
  const body = (name: string, content: string | Buffer, allowed: AllowedOutcomes = [400]) =>
    one(`body: ${name}`, collect(content), allowed)
  const good = () => JSON.stringify(collection())
  const padded = (size: number) => good().padEnd(size, ' ')
  /** The description with other bytes in its middle. */
  const described = (name: string, bytes: readonly number[], allowed?: AllowedOutcomes) => {
    const [before = '', after = ''] = JSON.stringify(collection({ description: 'Bytes: | and more' })).split('|')
    return body(name, Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]), allowed)
  }
  const escaped = (name: string, escape: string, allowed?: AllowedOutcomes) =>
    body(name, JSON.stringify(collection({ description: 'Bytes: | and more' })).replace('|', escape), allowed)
  return [
    body(`of ${LIMIT_BYTES} bytes`, padded(LIMIT_BYTES), [...accepted, 413]),
    body(`of ${LIMIT_BYTES + 1} bytes`, padded(LIMIT_BYTES + 1), [413, ...accepted]),
    body('of 1 MiB', padded(MEBIBYTE), [413, 'close']),
    body('of 1 MiB that is no JSON', Buffer.alloc(MEBIBYTE, 'x'), [413, 'close']),
    one(
      'body: of 1 MiB in chunks',
      collect(
        Buffer.concat([
          ...Array.from({ length: 256 }, () => Buffer.from(`1000\r\n${' '.repeat(4_096)}\r\n`)),
          Buffer.from('0\r\n\r\n'),
        ]),
        { headers: ['transfer-encoding: chunked'] },
      ),
      [413, 400, 'close'],
    ),
    one('body: announced as 10 GB', collect('{', { headers: ['content-length: 10000000000'] }), [413, 'close']),
    one(
      'body: announced as 10 GB, with an expectation',
      collect('', { headers: ['content-length: 10000000000', 'expect: 100-continue'] }),
      [413, 417, 'close'],
    ),

    described('a NUL byte in a text', [0]),
    described('a line break in a text', [0x0d, 0x0a]),
    described('a surrogate in three bytes (CESU-8)', [0xed, 0xa0, 0x80]),
    described('a pair of surrogates in six bytes (CESU-8)', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]),
    described('an overlong slash in two bytes', [0xc0, 0xaf]),
    described('an overlong slash in three bytes', [0xe0, 0x80, 0xaf]),
    described('an overlong slash in four bytes', [0xf0, 0x80, 0x80, 0xaf]),
    described('an overlong NUL', [0xc0, 0x80]),
    described('a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]),
    described('a byte that is in no UTF-8', [0xff]),
    described('a character cut off', [0xe2, 0x82]),
    described('Latin-1', [0xe9]),
    described('an emoji in four bytes', [0xf0, 0x9f, 0x98, 0x80], [...accepted, 400]),
    described('a DEL byte', [0x7f], [...accepted, 400]),
    described('a character that turns the direction of text', [0xe2, 0x80, 0xae], [...accepted, 400]),
    escaped('an escaped NUL', '\\u0000', [400]),
    escaped('an escaped high surrogate alone', '\\ud800'),
    escaped('an escaped low surrogate alone', '\\udc00'),
    escaped('two escaped surrogates in the wrong order', '\\ude00\\ud83d'),
    escaped('an escaped pair of surrogates', '\\ud83d\\ude00', [...accepted, 400]),
    escaped('an escape with three digits', '\\u00e'),
    escaped('an escape that is none', '\\x41'),
    escaped('a backslash at the end of a text', '\\", "description": "Another text'),
    body('a name with a surrogate alone', `${good().slice(0, -1)},"\\ud800":1}`),

    body('a byte order mark', `\ufeff${good()}`, [...accepted, 400]),
    body('UTF-16, little end first', Buffer.from(good(), 'utf16le')),
    body('UTF-16 with a byte order mark', Buffer.from(`\ufeff${good()}`, 'utf16le')),
    body('UTF-16, big end first', Buffer.from(good(), 'utf16le').swap16()),
    body('white space only', ' \t\r\n '),
    body('nothing', ''),
    body('NUL bytes only', Buffer.alloc(64)),
    body('NUL bytes behind', `${good()}\0\0`),
    body('white space that JSON does not know', `\u00a0${good()}`),
    ...['null', 'true', '0', '-0', '"text"', '[]', '{}', '[{}]', '""', '1e400'].map((text) =>
      body(`only ${text}`, text),
    ),
    body('a list of good collections', `[${good()},${good()}]`),
    body('two good collections', good() + good()),
    body('cut off', good().slice(0, -1)),
    body('a bracket too many', `${good()}}`),
    body('a comma behind the last', good().replace(/}$/, ',}')),
    body('single quotes', good().replaceAll('"', "'")),
    body('names without quotes', good().replaceAll(/"(\w+)":/g, '$1:')),
    body('comments', good().replace('{', '{/* note */')),
    body('a prefix against scripts', `)]}',\n${good()}`),
    body('a form', 'amount=5000&currency=UGX'),
    body('XML with an entity', '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'),
  ]
}
