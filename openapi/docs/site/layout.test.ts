import { expect, test } from 'vitest'
import { framed } from './layout.ts'
import type { SitePage } from './page.ts'

const page = (slug: string, group: string): SitePage => ({
  slug,
  title: slug,
  group,
  about: '',
  headings: [],
  body: '',
})
const assets = { style: '', theme: '', script: '', consoleStyle: '', consoleScript: '' }

test('previous and next lead to the pages above and below in the list, although the changelog is made last', () => {
  const pages = [page('money', 'Background'), page('send-funds', 'Operations'), page('changelog', 'Background')]
  const site = { name: 'Malipo', version: '1', assets, console: '', pages }
  const neighboursOf = (slug: string) =>
    [...framed(site, page(slug, '')).matchAll(/rel="(prev|next)" href="\/docs\/([^"]+)"/g)].map(([, ...found]) =>
      found.join(' '),
    )
  expect(neighboursOf('money')).toEqual(['next changelog'])
  expect(neighboursOf('changelog')).toEqual(['prev money', 'next send-funds'])
  expect(neighboursOf('send-funds')).toEqual(['prev changelog'])
})
