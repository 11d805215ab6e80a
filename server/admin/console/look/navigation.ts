import { html } from 'ghtml'
import { refusalOf, type Actor } from '../../../domain/people/actor.ts'
import type { Viewer } from './viewer.ts'

/** Where each entry leads. */
const PATHS = {
  today: '/',
  payments: '/payments',
  batches: '/payout-batches',
  approvals: '/approvals',
  reconciliation: '/reconciliation',
  merchants: '/merchants',
  rails: '/rails',
  reports: '/reports',
  people: '/people',
  audit: '/audit',
  settings: '/settings',
  statement: '/statement',
  callbacks: '/callbacks',
  keys: '/keys',
} as const

/** A page of the navigation, by the name of its text. */
export type PageName = keyof typeof PATHS

/** Two audiences, in groups: daily work first. */
const GROUPS: Readonly<Record<'staff' | 'merchant', readonly (readonly PageName[])[]>> = {
  staff: [
    ['today', 'payments', 'callbacks', 'approvals', 'reconciliation'],
    ['merchants', 'rails', 'reports'],
    ['people', 'audit', 'settings'],
  ],
  merchant: [
    ['today', 'payments', 'batches', 'statement', 'callbacks', 'approvals'],
    ['keys', 'settings', 'people'],
  ],
}

export interface Navigation {
  readonly audience: keyof typeof GROUPS
  /** The page a person is on, or whose part it is. */
  readonly at?: PageName | undefined
  /** How many things wait behind an entry; none is shown for 0. */
  readonly counts?: Readonly<Partial<Record<PageName, number | undefined>>> | undefined
  /** What the role of this person may not open. */
  readonly hidden?: readonly PageName[] | undefined
  /** Of a sandbox, whose inbox needs no sign-in and has an address of its own. */
  readonly inboxUrl?: string | undefined
}

/** The operation without which a page shows nothing. */
const OPERATION_OF: Readonly<Partial<Record<PageName, string>>> = {
  keys: 'keys list',
  settings: 'merchant show',
  people: 'people list',
}

/** The navigation of somebody, without the pages that show them nothing. */
export function navigationFor(actor: Actor, at?: PageName, inboxUrl?: string): Navigation {
  const hidden = Object.entries(OPERATION_OF).flatMap(([name, operation]) =>
    refusalOf(actor, operation) === undefined ? [] : [name as PageName],
  )
  return { audience: actor.kind === 'merchant' ? 'merchant' : 'staff', at, hidden, inboxUrl }
}

/** The list of pages, in groups. */
export function navigation(
  { say, number, language }: Viewer,
  { audience, at, counts = {}, hidden = [], inboxUrl }: Navigation,
): string {
  const entry = (name: PageName): string => {
    const count = counts[name] ?? 0
    const counter =
      count === 0
        ? ''
        : html`<span class="count"><span aria-hidden="true">${number(count)}</span><span class="unseen">, ${say.counted('wait', count)}</span></span>`
    return html`<li><a href="!${PATHS[name]}" !${name === at ? 'aria-current="page"' : ''}>${say(name)}!${counter}</a></li>`
  }
  const group = (names: readonly PageName[]): string =>
    html`<ul>!${names
      .filter((name) => !hidden.includes(name))
      .map(entry)
      .join('')}</ul>`
  const inbox =
    inboxUrl === undefined ? '' : html`<ul><li><a href="${inboxUrl}?lang=${language}">${say('inbox')}</a></li></ul>`
  return `${GROUPS[audience].map(group).join('')}${inbox}`
}
