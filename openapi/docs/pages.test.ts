import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument } from '../reading/contract.ts'
import { operationsOf } from '../reading/operations.ts'
import { KEYS_IN_BROWSERS } from './console-model.ts'
import { consoleMarkup } from './console-part.ts'
import { llmsText } from './llms-text.ts'
import { markdownPages } from './pages.ts'
import { OPERATORS } from '../operators/operators.ts'
import { placesIn, toPlaces } from './places.ts'
import { writtenPages } from '../testing/written-operations.ts'

const bundle = readFileSync(bundleUrl, 'utf8')
const contract = parseDocument(bundle)
const pages = markdownPages(contract)
const named = (slug: string) => pages.find((page) => page.slug === slug)!

test('every text, operation, callback, handshake and redirect has a Markdown page', () => {
  const texts = readdirSync(new URL('../pages/', import.meta.url)).map((file) => file.replace(/\.md$/, ''))
  expect(pages.map(({ slug }) => slug).toSorted()).toEqual(
    [
      ...texts,
      ...writtenPages,
      'collection-callback',
      'payout-callback',
      'payout-batch-callback',
      'payout-batch-handshake',
      'refund-callback',
      'payout-handshake',
      'customer-redirect',
    ].toSorted(),
  )
})

test('every link between pages leads to a page, and none into the HTML file', () => {
  const files = new Set(pages.map(({ slug }) => `${slug}.md`))
  const wrong = pages.flatMap(({ slug, markdown }) =>
    [...markdown.matchAll(/\]\((?!https?:)([^)]*)\)/g)]
      .map(([, to = '']) => to)
      .filter((to) => !files.has(to))
      .map((to) => `${slug}.md: ${to}`),
  )
  expect(wrong).toEqual([])
})

test('every link inside the HTML file leads to one of its pages or operations', () => {
  const operations = operationsOf(contract)
  const places = placesIn(contract)
  const texts = [
    contract.info?.description,
    ...(contract.tags ?? []).map(({ description }) => description),
    ...operations.map(({ description }) => description),
  ]
  const links = texts.flatMap((text = '') => [...text.matchAll(/\]\((#[^)]*)\)/g)].map(([, to = '']) => to))
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter((to) => !places.has(to.slice(1)))).toEqual([])
  expect(toPlaces('[a](#tag/errors) [b](#operation/sendFunds) [c](#operation/customerRedirect)', places)).toBe(
    '[a](#/errors) [b](#/payouts/sendfunds) [c](#/collections/initializecollection)',
  )
})

test('llms.txt lists every page once, with a sentence about its purpose', () => {
  const text = llmsText(contract, pages)
  const listed = [...text.matchAll(/^- \[(.+)\]\(\/docs\/(.+)\.md\): (.+)$/gm)].map(([, title, slug, about = '']) => ({
    title,
    slug,
    about,
  }))
  expect(listed.map(({ title, slug }) => ({ title, slug }))).toEqual(pages.map(({ title, slug }) => ({ title, slug })))
  expect(listed.filter(({ about }) => !/^[A-Z`].{15,}\.$/.test(about))).toEqual([])
  expect(text.startsWith('# Malipo\n\n> ')).toBe(true)
})

test.each(OPERATORS)('the page "Rails" and llms.txt link to the contract of %s', (operator) => {
  expect(named('rails').markdown).toContain(`](http://127.0.0.1:8080/docs/operators/${operator})`)
  expect(llmsText(contract, pages)).toMatch(new RegExp(`^- \\[.+\\]\\(/docs/operators/${operator}\\): .+\\.$`, 'm'))
})

test("an operation's page has its keys, parameters, fields, replies and samples", () => {
  const { markdown } = named('send-funds')
  expect(markdown).toContain('`POST /payout/send-funds`, with `public-key` and `secret-key`.')
  expect(markdown).toMatch(/^\| `Idempotency-Key` \| header \| no \|/m)
  expect(markdown).toMatch(/^\| `extra_params\.bank_code` \| string \| yes \|/m)
  expect(markdown).toContain(
    '- The reference is taken: `merchant_reference (ORDER-2026-0001) has already been used` (`duplicate_reference`)',
  )
  for (const fence of ['sh', 'ts', 'python', 'php', 'java', 'go', 'csharp'])
    expect(markdown).toContain(`\n\`\`\`${fence}\n`)
  for (const { path, summary, responses } of operationsOf(contract).filter(({ kind }) => kind === 'operation')) {
    const page = pages.find(({ title }) => title === summary)!.markdown
    expect(page).toContain(path)
    for (const { status } of responses) expect(page).toContain(`\n### ${status}\n`)
  }
})

test('a field narrowed by a branch has its narrow meaning there', () => {
  expect(named('collection-callback').markdown).toMatch(
    /^\| `payload\.transaction_status` \| string \| yes \| .*Always `COMPLETED`\. \|$/m,
  )
})

test.each([
  ['callbacks-and-signatures', 'collectionCallback'],
  ['overview', 'initializeCollection'],
])('the page %s has the samples of %s, in each language', (slug, wanted) => {
  const { samples = [] } = operationsOf(contract).find(({ id }) => id === wanted) ?? {}
  expect(samples.length).toBeGreaterThan(5)
  for (const { source } of samples) expect(named(slug).markdown).toContain(source.trimEnd())
})

test('says alike everywhere which keys a browser may see', () => {
  const { publicKey, secretKey } = contract.components?.securitySchemes ?? {}
  const texts = [named('authentication').markdown, publicKey?.description, secretKey?.description]
  for (const text of [...texts, consoleMarkup(contract)])
    expect(text?.replaceAll(/\s+/g, ' ').replaceAll('*', '')).toContain(KEYS_IN_BROWSERS)
})

test('no page skips a level of headings', () =>
  expect(pages.filter(({ markdown }) => /^##+ /m.exec(markdown)?.[0] === '### ').map(({ slug }) => slug)).toEqual([]))
