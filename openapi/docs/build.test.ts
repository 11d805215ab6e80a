import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildDocs } from './build.ts'
import { FORMER_PAGES } from './former-pages.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'

const BUILDS_MS_MAX = 180_000
const [first, second] = [temporaryFolder().path, temporaryFolder().path]
const filesIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [
        join(entry.parentPath, entry.name).slice(folder.length),
        readFileSync(join(entry.parentPath, entry.name), 'utf8'),
      ]),
  )

beforeAll(() => {
  buildDocs(first)
  // A page of an older build that no longer exists.
  mkdirSync(join(second, 'docs'))
  writeFileSync(join(second, 'docs', 'gone.md'), 'old')
  buildDocs(second)
}, BUILDS_MS_MAX)

test('builds the same bytes each time, and removes files of an older build', () => {
  const built = filesIn(first)
  expect(built.has('/docs.html') && built.has('/docs/llms.txt') && built.has('/docs/errors.md')).toBe(true)
  expect([...filesIn(second).keys()].toSorted()).toEqual([...built.keys()].toSorted())
  for (const [name, text] of filesIn(second)) expect(text === built.get(name), name).toBe(true)
})

test('the HTML file loads nothing from elsewhere', () => {
  const html = readFileSync(join(first, 'docs.html'), 'utf8')
  const head = html.slice(0, html.indexOf('</head>'))
  expect(head).toContain("connect-src 'self'")
  expect(
    html
      .match(/<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)="https?:[^"]*"/g)
      ?.filter((tag) => !tag.includes('rel="canonical"')) ?? [],
  ).toEqual([])
})

test('shows receiver samples at callbacks and handshake, which Redoc omits', () => {
  const html = readFileSync(join(first, 'docs.html'), 'utf8')
  for (const language of ['TypeScript', 'Python', 'PHP', 'Java', 'Go', 'C#'])
    expect(html.split(`**A receiver in ${language}**`).length).toBeGreaterThan(3)
})

test.each(Object.entries(FORMER_PAGES))('writes a redirect at the former page %s', (former, current) => {
  const read = (name: string) => readFileSync(join(first, 'docs', name), 'utf8')
  expect(read(`${former}.html`)).toContain(`<meta http-equiv="refresh" content="0; url=/docs/${current}">`)
  expect(read(`${current}.html`)).toContain('<h1')
  expect(read('llms.txt')).not.toContain(former)
  const places = readFileSync(join(first, 'docs.html'), 'utf8')
  expect(places).toContain(`"tag/${former}":"/${current}"`)
})
