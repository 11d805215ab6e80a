import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument } from '../../reading/contract.ts'
import { markdownPages } from '../pages.ts'
import { sitePages } from './site.ts'

const contract = parseDocument(readFileSync(bundleUrl, 'utf8'))
const bodyOf = (slug: string): string =>
  sitePages(contract, markdownPages(contract)).find((page) => page.slug === slug)?.body ?? ''
const headingsIn = (body: string): (string | undefined)[] =>
  [...body.matchAll(/<h[23] id="[^"]+">(.*?) <a /g)].map(([, text]) => text)

test("merges the statuses of a merchant's answer that have the same effect", () => {
  const handshake = bodyOf('payout-handshake')
  expect(headingsIn(handshake).filter((text) => /\dxx|\d\d\d/.test(text ?? ''))).toEqual([
    'Your answer 2xx',
    '408, 425, 429, 3xx, 5xx',
    'Other 4xx',
  ])
  expect(handshake.split('Malipo asks again, three times.')).toHaveLength(2)
  expect(headingsIn(bodyOf('collection-callback')).slice(-2)).toEqual(['410', '3xx, other 4xx, 5xx'])
})

test.each(['send-funds', 'collection-callback', 'payout-handshake'])('%s shows the body before headers', (slug) => {
  const texts = headingsIn(bodyOf(slug))
  const places = ['Parameters', 'What comes in the query', 'Body', 'Headers', 'What comes in the headers']
  const shown = texts.filter((text) => places.includes(text ?? ''))
  expect(shown).toEqual(places.filter((place) => shown.includes(place)))
  expect(shown.at(-1)).toMatch(/headers$/i)
})

test('an operation lists each reply, and has links to each part on a phone', () => {
  const body = bodyOf('send-funds')
  expect(headingsIn(body)).toEqual(expect.arrayContaining(['Reply 202', 'Errors', '400', '401', '503']))
  const [, way = ''] = /<details class="way">(.*?)<\/details>/.exec(body) ?? []
  for (const [, id = ''] of way.matchAll(/href="#([^"]+)"/g)) expect(body).toContain(` id="${id}"`)
  expect(way).toContain('Headers of replies')
})
