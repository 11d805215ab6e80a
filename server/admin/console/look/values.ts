import { html } from 'ghtml'
import type { Money } from '../../../domain/money.ts'
import type { Viewer } from './viewer.ts'

// Small values in a page. Every function returns markup; its texts are plain, and escaped here.

/** What a state means for who looks; each has a colour and a sign of its own. */
export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'calm'

const TONES: Readonly<Record<string, Tone>> = {
  PENDING: 'calm',
  PROCESSING: 'busy',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELLED: 'calm',
}

/** A word with a colour and a sign. */
export const badge = (text: string, tone: Tone): string => html`<span class="badge !${tone}">${text}</span>`

/** The state of a payment: the code of the API, in any language. */
export const statusBadge = (status: string): string => badge(status, TONES[status] ?? 'calm')

/** An amount that does not break. */
export const money = (viewer: Viewer, amount: Money): string => html`<span class="money">${viewer.money(amount)}</span>`

/** A moment in the person's zone, which the frame names. @param precise with seconds */
export const when = (viewer: Viewer, at: Date, precise = false): string =>
  html`<time datetime="${at.toISOString()}">${precise ? viewer.second(at) : viewer.moment(at)}</time>`

/**
 * The last three digits of an account or phone number.
 * @param reveal where a person may see all of it after giving a reason
 */
export function maskedAccount({ say }: Viewer, account: string, reveal?: string): string {
  const digits = account.slice(-3)
  const masked = html`<span class="masked" aria-hidden="true">••• ${digits}</span><span class="unseen">${say('accountEndsIn', { digits })}</span>`
  return reveal === undefined ? masked : html`!${masked} <a class="quiet" href="${reveal}">${say('showAccount')}</a>`
}

/** A code or reference: one click marks all of it, and the button, which the script shows, copies it. */
export const copyable = ({ say }: Viewer, text: string): string =>
  html`<code class="copyable">${text}</code><button type="button" class="copy" hidden data-copy="${text}" data-done="${say('copied')}" aria-label="${say('copy')} ${text}">${say('copy')}</button>`

export interface Fact {
  readonly name: string
  /** Markup. Absent: nothing is known, and the fact is not shown. */
  readonly value: string | undefined
}

/** Names and values, for instance of a payment. */
export const facts = (all: readonly Fact[]): string =>
  html`<dl class="facts">!${all
    .filter(({ value }) => value !== undefined)
    .map(({ name, value }) => html`<div><dt>${name}</dt><dd>!${value ?? ''}</dd></div>`)
    .join('')}</dl>`

export interface Link {
  readonly href: string
  readonly text: string
}

/** A link that looks like a button. */
export const button = ({ href, text }: Link, style: 'primary' | 'plain' = 'plain'): string =>
  html`<a class="button !${style}" href="${href}">${text}</a>`

interface Empty {
  readonly title: string
  /** Plain: what would stand here, and what to do. */
  readonly text: string
  readonly next?: Link | undefined
}

/** In place of a table without rows. */
export const emptyState = ({ title, text, next }: Empty): string =>
  html`<div class="empty"><h2>${title}</h2><p>${text}</p>!${next ? button(next) : ''}</div>`

/** A part of a page, under its heading where it has one. @param content markup @param aside markup beside the heading */
export const section = (title: string | undefined, content: string, aside = ''): string =>
  html`<section class="card">!${title === undefined ? '' : html`<div class="heading"><h2>${title}</h2>!${aside}</div>`}!${content}</section>`

export interface Event {
  readonly at: Date
  readonly title: string
  /** Markup. */
  readonly detail?: string | undefined
  readonly tone?: Tone | undefined
  /** What was sent or received, to be unfolded; plain. */
  readonly bodies?: readonly { readonly title: string; readonly text: string }[] | undefined
}

/** What happened, in the order given. */
export const timeline = (viewer: Viewer, events: readonly Event[]): string =>
  html`<ol class="timeline">!${events
    .map(
      ({ at, title, detail = '', tone = 'calm', bodies = [] }) =>
        html`<li class="!${tone}"><div class="event"><b>${title}</b> !${when(viewer, at, true)}</div>!${detail && html`<div>!${detail}</div>`}!${bodies
          .map(
            ({ title: name, text }) =>
              html`<details><summary>${name}</summary><pre tabindex="0">${text}</pre></details>`,
          )
          .join('')}</li>`,
    )
    .join('')}</ol>`
