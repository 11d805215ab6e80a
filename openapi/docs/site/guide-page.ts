import { html } from 'ghtml'
import type { MarkdownPage } from '../pages.ts'
import { rendered } from './markdown.ts'
import type { SitePage } from './page.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** A guide: its text, and its table of contents. */
export function guidePage({ slug, title, group, about, markdown }: MarkdownPage): SitePage {
  const { body, headings } = rendered(markdown.replace(/^# .*\n/, ''))
  return {
    slug,
    title,
    group,
    about,
    headings,
    body: html`<article class="guide"><h1>${title}</h1>!${contents(headings.filter(({ level }) => level === 2))}<div class="text">!${body}</div></article>`,
  }
}

const contents = (headings: SitePage['headings']): string =>
  headings.length < 2
    ? ''
    : html`<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>!${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`
