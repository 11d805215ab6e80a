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
