import { expect, test } from 'vitest'
import { codeBlock } from './highlight.ts'

test('wraps each line of code in an element with its indentation, text unchanged', () => {
  const source = 'curl -d \'{\n  "amount": 1,\n    "deep": 2\n}\' \\\n\n  http://127.0.0.1:8080/x'
  const [, code = ''] = /<code>([^]*)<\/code>/.exec(codeBlock(source, 'sh')) ?? []
  const lines = code.split(/(?=<span class="line )/)
  expect(lines.map((line) => /class="line (d\d)"/.exec(line)?.[1])).toEqual(['d0', 'd1', 'd2', 'd0', 'd0', 'd1'])
  for (const line of lines) expect(line.split('<span').length, line).toBe(line.split('</span>').length)
  const text = code
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
  expect(text).toBe(source)
})

test('breaks long code after punctuation, never within an option', () => {
  const shown = codeBlock('openssl dgst -sha256 --base-url x', 'sh')
  expect(shown).toContain('<span class="option">-sha256</span> <span class="option">--base-url</span> x')
  expect(codeBlock('https://shop.example/paid?id=x', 'text')).toContain(
    'shop.<wbr>example/<wbr>paid?<wbr>id&#61;<wbr>x',
  )
})

test('counts tabs as indentation, so that wrapped text is indented further', () => {
  const shown = codeBlock('func main() {\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n}', 'go')
  expect([...shown.matchAll(/class="line (d\d)"/g)].map(([, depth]) => depth)).toEqual(['d0', 'd1', 'd2', 'd1', 'd0'])
})

test('never breaks a line of a key at its slashes', () => {
  const line = 'exDweFVqH5JltWYAkQocsK38Rx9jEahJ52OR28W/EIP59Wliw/qiRmt2RLlvxFqD'
  expect(codeBlock(`-----BEGIN PUBLIC KEY-----\n${line}\n`, '')).toContain(line)
})
