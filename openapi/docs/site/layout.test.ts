import { expect, test } from 'vitest'
import { framed, type Site } from './layout.ts'
import type { SitePage } from './page.ts'

const page = (slug: string, group: string): SitePage => ({
  slug,
  title: slug,
  group,
  about: '',
  headings: [],
  body: '',
})

test('previous and next follow the menu, also to the page generated last', () => {
  const pages = [page('money', 'Background'), page('send-funds', 'Operations'), page('changelog', 'Background')]
  const assets = { style: '', theme: '', script: '', consoleStyle: '', consoleScript: '' }
  const site: Site = { name: 'Malipo', version: '', pages, assets, console: '' }
  const walk = pages.map((shown) => {
    const html = framed(site, shown)
    const [, before, after] = ['', 'prev', 'next'].map(
      (rel) => new RegExp(`rel="${rel}" href="/docs/([a-z-]+)"`).exec(html)?.[1],
    )
    return [shown.slug, before, after]
  })
  expect(walk).toEqual([
    ['money', undefined, 'changelog'],
    ['send-funds', 'changelog', undefined],
    ['changelog', 'money', 'send-funds'],
  ])
})
