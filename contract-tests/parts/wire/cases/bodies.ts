import { one, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

const DEPTH = 10_000
const XML = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'

/** Bytes in the middle of a text that are no UTF-8 (RFC 3629), and control characters that JSON forbids there. */
const NO_TEXTS: Readonly<Record<string, readonly number[]>> = {
  'a NUL byte in a text': [0],
  'a line break in a text': [0x0d, 0x0a],
  'a surrogate in three bytes (CESU-8)': [0xed, 0xa0, 0x80],
  'a pair of surrogates in six bytes (CESU-8)': [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  'an overlong slash in two bytes': [0xc0, 0xaf],
  'an overlong slash in three bytes': [0xe0, 0x80, 0xaf],
  'an overlong slash in four bytes': [0xf0, 0x80, 0x80, 0xaf],
  'an overlong NUL': [0xc0, 0x80],
  'a character beyond Unicode': [0xf4, 0x90, 0x80, 0x80],
  'a byte that is in no UTF-8': [0xff],
  'a character cut off': [0xe2, 0x82],
  'Latin-1': [0xe9],
}
/** Values that are no JSON (RFC 8259, section 6); inputs asks more of them of each amount. */
const NO_VALUES = ['NaN', '0x1F4', '0500', '+500', '500n']
const NO_ESCAPES = ['\\u00e', '\\x41', '\\']

/** Bodies as bytes: character encodings, near-JSON and JSON that breaks programs (RFC 8259). */
export function bodyCases({ submission, must, may, accepted }: RequestWriter): WireCase[] {
  if (!submission) return []
  const { text: good, post } = submission
  const body = (name: string, content: string | Buffer, allowed: AllowedOutcomes) =>
    one(`body: ${name}`, post(content), allowed)
  /** No JSON at all, or none in UTF-8: RFC 3629 and RFC 8259 leave no choice. */
  const no = (name: string, content: string | Buffer) => body(name, content, must([400]))
  const may400 = may([400])
  /** A valid body with one more field at its end, as text. */
  const plus = (field: string) => good().replace(/\}\s*$/, () => `,${field}}`)
  const field = (name: string, text: string) => body(name, plus(text), may400)
  /** The field is invalid UTF-8 or JSON in itself. */
  const noField = (name: string, bytes: Buffer) => {
    const [before = '', after = ''] = plus('"extra":"Bytes: | and more"').split('|')
    return body(name, Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]), may400)
  }
  const nested = (open: string, inner: string, close: string) => open.repeat(DEPTH) + inner + close.repeat(DEPTH)
  return [
    ...Object.entries(NO_TEXTS).map(([name, bytes]) => noField(name, Buffer.from(bytes))),
    no(
      'a byte outside of all texts that is in no UTF-8',
      Buffer.concat([Buffer.from('{"\xff'), Buffer.from([0xff, 0xc0])]),
    ),
    ...NO_ESCAPES.map((escape) => no(`the escape ${escape}`, plus(`"extra":"a${escape}"`))),
    field('an escaped NUL', '"extra":"a\\u0000b"'),
    field('an escaped high surrogate alone', '"extra":"\\ud800"'),
    field('an escaped low surrogate alone', '"extra":"\\udc00"'),
    field('a name with a surrogate alone', '"\\ud800":1'),
    body('a byte order mark', `\ufeff${good()}`, may([...accepted, 400])),
    ...['UTF-16, little end first', 'UTF-16, big end first'].map((name, index) => {
      const bytes = Buffer.from(good(), 'utf16le')
      return no(name, index === 0 ? bytes : bytes.swap16())
    }),
    no('white space only', ' \t\r\n '),
    no('NUL bytes only', Buffer.alloc(64)),
    no('NUL bytes behind', `${good()}\0\0`),
    no('white space that JSON does not know', `\u00a0${good()}`),
    ...['null', 'true', '-0', '"text"', '[]', '[{}]', '1e400'].map((text) => body(`only ${text}`, text, may400)),
    no('two good bodies', good() + good()),
    no('cut off', good().slice(0, -1)),
    no('a bracket too many', `${good()}}`),
    no('a comma behind the last', good().replace(/\}\s*$/, ',}')),
    no('single quotes', good().replaceAll('"', "'")),
    no('comments', good().replace('{', '{/* note */')),
    no('a prefix against scripts', `)]}',\n${good()}`),
    no('a form', 'amount=5000&currency=UGX'),
    no('XML with an entity', XML),
    ...NO_VALUES.map((text) => no(`the value ${text}`, plus(`"extra":${text}`))),
    field('a name twice, further in', '"extra":[{"a":{"b":1,"b":2}}]'),
    field('__proto__ as text', '"__proto__":"x"'),
    field('__proto__ as an object', '"__proto__":{"amount":1,"isAdmin":true}'),
    field('__proto__ escaped', '"\\u005f_proto__":{"amount":1}'),
    ...['constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', '', '$where'].map((name) =>
      field(`an unknown field ${JSON.stringify(name)}`, `${JSON.stringify(name)}:"500"`),
    ),
    body('__proto__ instead of everything', `{"__proto__":${good()}}`, may400),
    field('an unknown field named like a header', '"X-Injected: 1\\r\\nX-Other":"y"'),
    field('a name of 5,000 characters', `"${'x'.repeat(5_000)}":1`),
    field('4,000 unknown fields', Array.from({ length: 4_000 }, (_, index) => `"field_${index}":1`).join(',')),
    field('a text of 60,000 characters', `"extra":"${'a.'.repeat(30_000)}!"`),
    field('a number of 10,000 digits', `"extra":5${'0'.repeat(10_000)}.${'0'.repeat(100)}1e-${'9'.repeat(1_000)}`),
    body('10,000 lists within each other', nested('[', '', ']'), may400),
    no('10,000 lists that are never ended', '['.repeat(DEPTH)),
    body('5,000 objects within each other', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, may400),
    field('10,000 lists in a field', `"extra":${nested('[', '"\\ud83d\\ude00"', ']')}`),
  ]
}
