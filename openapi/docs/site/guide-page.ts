import { readFileSync } from 'node:fs'
import { html } from 'ghtml'
import type { MarkdownPage } from '../pages.ts'
import { rendered } from './markdown.ts'
import type { SitePage } from './page.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** Pictures of a guide with what they show, made by a test (`PICTURES` in server/admin/console/pages.slow.test.ts). */
const PICTURES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'for-your-team': {
    today: 'Today: figures, and what needs a person',
    payment: 'A payment: how it stands, everything that happened, and what can be done',
  },
}

/** In the page: they are small, and it loads nothing from elsewhere. */
const pictures = (slug: string): string =>
  Object.entries(PICTURES[slug] ?? {})
    .map(([name, about]) => {
      const data = readFileSync(new URL(`pictures/${name}.webp`, import.meta.url), 'base64')
      return html`<figure class="picture"><img src="data:image/webp;base64,!${data}" width="680" height="422" alt="The console"><figcaption>${about}</figcaption></figure>`
    })
    .join('')

/** A guide: its text, and its table of contents. */
export function guidePage({ slug, title, group, about, markdown }: MarkdownPage): SitePage {
  const { body, headings } = rendered(markdown.replace(/^# .*\n/, ''))
  return {
    slug,
    title,
    group,
    about,
    headings,
    body: html`<article class="guide"><h1>${title}</h1>!${contents(headings.filter(({ level }) => level === 2))}<div class="text">!${pictures(slug)}!${body}</div></article>`,
  }
}

/**
 * Links to the parts of a page. They stand twice: folded, where the page has one column, and in a column of their own;
 * the style sheet shows one of them, without a script.
 */
const contents = (headings: SitePage['headings']): string => {
  if (headings.length < 2) return ''
  const links = html`<ul>!${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`
  return foldedLinks(links) + html`<nav class="contents" aria-label="On this page"><h2>On this page</h2>!${links}</nav>`
}

/** @param links markup of a list */
export const foldedLinks = (links: string): string =>
  html`<details class="way"><summary>On this page</summary><nav aria-label="On this page">!${links}</nav></details>`
