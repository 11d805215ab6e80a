import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument } from '../reading/contract.ts'
import type { OpenApiDocument } from '../reading/document.ts'
import type { Release } from '../release/history.ts'
import { changelogPage, type ChangelogSources } from './changelog-page.ts'

const FIRST: Release = {
  version: '0.1.0',
  entries: [{ kind: 'added', isBreaking: false, what: 'everything', subjects: [], operations: ['getOrder'] }],
}
const operation = (operationId: string, summary: string, parameters: readonly string[] = []) => ({
  get: {
    operationId,
    summary,
    parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    responses: { 200: { description: 'Done.' } },
  },
})
const contract = (version: string, paths: object) =>
  ({ openapi: '3.1.0', info: { version }, paths }) as unknown as OpenApiDocument
const before = contract('0.1.0', {
  '/orders': operation('getOrder', 'Get an order', ['old']),
  '/gone': operation('goneAway', 'Gone'),
})
const sources = (current: OpenApiDocument, changelog = ''): ChangelogSources => ({
  changelog,
  released: { version: '0.1.0', contract: before as unknown as ChangelogSources['released']['contract'] },
  history: [FIRST],
  current,
})

test('lists what was added, removed and broken, where, with the notes about it', () => {
  const current = contract('1.0.0', {
    '/orders': operation('getOrder', 'Get an order', ['old', 'fresh']),
    '/new': operation('makeNew', 'Make it new'),
  })
  const changelog = [
    '# Changelog\n\n## Unreleased\n',
    '- Mended something else.',
    '- **Breaking** `/gone` is gone: see [why](server/README.md).',
    '- `fresh` makes it\n  fresh.\n\n## 0.1.0\n\n- `fresh` of old.\n',
  ].join('\n')
  const { markdown } = changelogPage(sources(current, changelog))
  expect(markdown.slice(markdown.indexOf('## 1.0.0')).trim()).toBe(
    [
      '## 1.0.0',
      'One change breaks what works with 0.1.0: look for **Breaking**.',
      '### Added',
      [
        '- Path `/new`: [Make it new](make-new.md).',
        '- Query parameter `fresh`: [Get an order](get-order.md).\n\n  `fresh` makes it\n  fresh.',
      ].join('\n'),
      '### Removed',
      '- **Breaking:** path `/gone`: `goneAway`.\n\n  `/gone` is gone: see why.',
      '## 0.1.0',
      'The first release.',
      'With it came [Get an order](get-order.md).',
    ].join('\n\n'),
  )
})

test('a contract equal to the released one has no section of its own', () => {
  const { markdown } = changelogPage(sources(before))
  expect(markdown.match(/^## .*$/gm)).toEqual(['## 0.1.0'])
})

test('links each entry of the changelog to its operations, and marks every break', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const { markdown } = changelogPage({
    changelog: read('../../CHANGELOG.md'),
    released: JSON.parse(read('../release/released.json')) as ChangelogSources['released'],
    history: JSON.parse(read('../release/history.json')) as ChangelogSources['history'],
    current: parseDocument(readFileSync(bundleUrl, 'utf8')),
  })
  const points = markdown.match(/^- .*$/gm) ?? []
  expect(points.filter((point) => !/\]\([a-z-]+\.md\)/.test(point))).toEqual([])
  expect(markdown).toMatch(/^- Field `failure_code`: \[Verify a transaction\]\(verify-transaction\.md\), /m)
  expect(/^Nothing that works with .* breaks\.$/m.test(markdown)).toBe(
    !points.some((point) => point.includes('**Breaking:**')),
  )
})

test('keeps the sections of Keep a Changelog, and entries of one or two sentences', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
  // Right after a release nothing is unreleased.
  const newest = changelog.split(/^## /m).find((section) => /^- /m.test(section)) ?? ''
  const sections: readonly string[] = newest.match(/^### .*$/gm) ?? []
  expect(sections).toEqual(
    ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
      .map((name) => `### ${name}`)
      .filter((heading) => sections.includes(heading)),
  )
  const entries = newest.split(/^- /m).slice(1)
  expect(entries.length).toBeGreaterThan(0)
  expect(entries.filter((entry) => entry.split(/^#/m)[0]!.replaceAll(/\s+/g, ' ').length > 300)).toEqual([])
})
