import { expect, test } from 'vitest'
import { rendered, withCharacters } from './markdown.ts'

const bodyOf = (markdown: string): string => rendered(markdown).body

test('each table cell names its column, because a row is a card on a phone', () => {
  const table = bodyOf('| code | `message` | what to do |\n| --- | --- | --- |\n| 404 | gone | ask |')
  expect(table).toContain('data-columns="3"')
  expect(table).not.toContain('data-long')
  expect(bodyOf(`| a | b |\n| --- | --- |\n| 1 | ${'long '.repeat(20)} |`)).toContain('data-long')
  expect(table.match(/<td[^>]*>[^<]*/g)).toEqual([
    '<td data-label="code">404',
    '<td data-label="message">gone',
    '<td data-label="what to do">ask',
  ])
})

test('a table is cards on a phone if long words do not fit, or rows are numbered', () => {
  const table = (cell: string) => bodyOf(`| field | value |\n| --- | --- |\n| \`transaction_currency\` | ${cell} |`)
  expect(table('UGX')).not.toContain('data-long')
  expect(table('`transaction.completed`')).toContain('data-long')
  expect(bodyOf('| # | check |\n| --- | --- |\n| 1 | paid |')).toContain('data-numbered')
})

test('never breaks a line after a single letter and its hyphen', () => {
  expect(bodyOf('# M-PESA & others')).toContain('<span class="option">M-PESA</span> &#38; others')
})

test('the first column of a table stays on one line if all of it is short', () => {
  const table = (first: string) => bodyOf(`| a | b |\n| --- | --- |\n| ${first} | 1 |\n| key | 2 |`)
  expect(table('webhook secret')).toContain('data-first="short"')
  expect(table('The public-key or secret-key is not valid')).toContain('data-first="long"')
})

test('the corner of a table with row headings is no heading', () => {
  const table = bodyOf('| | live |\n| --- | --- |\n| keys | yours |')
  expect(table).toMatch(/<thead>\s*<tr>\s*<td><\/td>\s*<th>live<\/th>/)
  expect(table).toContain('<td data-label="">keys</td>')
})

test('keeps a code word whole, and breaks longer code after punctuation, not in copies', () => {
  expect(bodyOf('`Idempotency-Key`')).toContain('<code class="word">Idempotency-Key</code>')
  expect(bodyOf('by M-PESA & <more>')).toBe('<p>by <span class="option">M-PESA</span> &#38; &#60;more&#62;</p>\n')
  const long = bodyOf('`https://shop.example/?paid=<id>&x=1`')
  expect(long).toContain('shop.<wbr>example/')
  expect(bodyOf('`npm run malipo -- transaction list --stuck`')).toContain('<span class="option">--stuck</span></code>')
  expect(long.replaceAll(/<\/?(?:wbr|code|p)>/g, '')).not.toContain('<')
})

test('marks allowed characters and keeps them on one line', () => {
  expect(withCharacters('Must have 8 characters out of A-Z a-z 0-9 . _ ~ -.')).toBe(
    'Must have 8 characters out of <code class="word">A-Z a-z 0-9 . _ ~ -</code>.',
  )
  expect(bodyOf('Digits and `. _ ~ -`.')).toContain('<code class="word">. _ ~ -</code>')
})

test('shows adjacent alternatives of code as one choice', () => {
  const block = (label: string): string => `\`\`\`ts Request: ${label}\n1\n\`\`\`\n`
  const { body } = rendered(`${block('A')}${block('B')}\nText\n\n${block('C')}`)
  expect(body.match(/<fieldset>|class="panel"|<p>Text|value="[AB]"|Request: C/g)).toEqual([
    '<fieldset>',
    'value="A"',
    'value="B"',
    'class="panel"',
    'class="panel"',
    '<p>Text',
    'Request: C',
    'class="panel"',
  ])
})
