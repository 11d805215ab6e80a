import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { OPERATIONS } from '../../../domain/people/roles.ts'
import type { AdminData } from '../../api/handler.ts'
import { changesTable } from '../changes-table.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { typed } from '../form-errors.ts'
import { dayBegins } from '../payments/amounts.ts'
import { filterBar } from '../look/filter-bar.ts'
import type { Field } from '../look/form.ts'
import { pageTexts } from '../look/languages.ts'
import { pagedTable } from '../look/table.ts'
import type { Viewer } from '../look/viewer.ts'
import { badge, button, copyable, facts, section, when } from '../look/values.ts'

const TEXTS = pageTexts({
  en: {
    subject: 'Concerns',
    actor: 'By',
    command: 'What',
    since: 'From',
    when: 'When',
    reason: 'Because',
    none: 'No entry',
    noneText: 'Everything that people change stands here, with who, why, old and new values, for good.',
    verify: 'Verify the chain',
    verification: 'The chain of the audit log',
    intact: 'As it was written',
    changed: 'It was changed',
    head: 'Head of the chain',
    headText: 'Store this line elsewhere. Whoever rebuilds the whole log gets another one.',
    entry: 'Entry {id}',
    changes: 'What changed',
    noChanges: 'No stored value.',
    name: 'Value',
    address: 'From',
    link: 'Link of the chain',
    breakGlass: 'without a login, in an emergency',
  },
  fr: {
    subject: 'Concerne',
    actor: 'Par',
    command: 'Action',
    since: 'Du',
    when: 'Quand',
    reason: 'Motif',
    none: 'Aucune entrée',
    noneText: 'Tout ce que des personnes modifient reste ici pour toujours : qui, pourquoi, avant et après.',
    verify: 'Vérifier la chaîne',
    verification: 'La chaîne du journal d’audit',
    intact: 'Intact',
    changed: 'Il a été modifié',
    head: 'Tête de la chaîne',
    headText: 'Conservez cette ligne ailleurs. Qui reconstruit tout le journal en obtient une autre.',
    entry: 'Entrée {id}',
    changes: 'Ce qui a changé',
    noChanges: 'Aucune valeur enregistrée.',
    name: 'Valeur',
    address: 'Depuis',
    link: 'Maillon de la chaîne',
    breakGlass: 'sans connexion, en urgence',
  },
})

type Entry = AdminData<'showAuditEntry'>

/** What people change, and what happens at the sign-in. */
const COMMANDS = [
  ...Object.entries(OPERATIONS).flatMap(([name, { needs }]) => (needs === 'person' ? [name] : [])),
  'sign in',
  'sign in refused',
]

function fieldsOf({ viewer }: Opened): readonly Field[] {
  const say = viewer.texts(TEXTS)
  return [
    { name: 'subject', label: say('subject') },
    { name: 'actor', label: say('actor') },
    { name: 'command', label: say('command'), type: 'select', options: COMMANDS.map((name) => [name, name]) },
    { name: 'since', label: say('since'), type: 'date' },
    { name: 'until', label: say('until'), type: 'date' },
  ]
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** The beginning of a day of a filter in the viewer's zone, or of a day after it; nothing where it is no day. */
const startOf = (day: string | undefined, { zone }: Viewer, daysLater = 0): string | undefined =>
  day === undefined || !DATE.test(day) || Number.isNaN(Date.parse(day)) ? undefined : dayBegins(day, zone, daysLater)

const whoOf = ({ viewer }: Opened, { actor, actor_kind: kind }: Entry): string =>
  kind === 'break_glass' ? html`${actor} !${badge(viewer.texts(TEXTS)('breakGlass'), 'bad')}` : html`${actor}`

function listPage(opened: Opened, { items, next }: AdminData<'listAuditLog'>) {
  const { viewer, query } = opened
  const say = viewer.texts(TEXTS)
  const list = pagedTable(viewer, {
    caption: viewer.say('audit'),
    path: '/audit',
    query,
    next,
    empty: { title: say('none'), text: say('noneText') },
    columns: [
      { title: say('command'), cell: ({ command }: Entry) => html`${command}` },
      { title: say('subject'), cell: ({ subject }) => html`${subject}` },
      { title: say('actor'), cell: (entry) => whoOf(opened, entry), onPhone: 'left' },
      { title: say('when'), cell: ({ at }) => when(viewer, new Date(at)), onPhone: 'right' },
      { title: say('reason'), cell: ({ reason = '' }) => html`<span class="soft">${reason}</span>` },
    ],
    rows: items,
    href: ({ id }) => `/audit/${id}`,
  })
  return {
    title: viewer.say('audit'),
    aside: button({ href: '/audit/verification', text: say('verify') }),
    content: `${filterBar(viewer, { action: '/audit', query, fields: fieldsOf(opened) })}${list}`,
  }
}

const text = (value: string | undefined): string | undefined => (value === undefined ? undefined : html`${value}`)

function entryPage(opened: Opened, entry: Entry) {
  const { viewer } = opened
  const say = viewer.texts(TEXTS)
  const { id, command, subject, changes, merchant_id: merchant } = entry
  const titles = { caption: say('changes'), name: say('name'), before: say('before'), after: say('after') }
  const about = facts([
    { name: say('actor'), value: whoOf(opened, entry) },
    { name: say('role'), value: text(entry.role) },
    { name: say('when'), value: when(viewer, new Date(entry.at), true) },
    { name: say('subject'), value: html`<a href="/audit?subject=${encodeURIComponent(subject)}">${subject}</a>` },
    { name: say('reason'), value: text(entry.reason) },
    { name: say('reference'), value: text(entry.reference) },
    { name: say('merchant'), value: merchant && html`<a href="/merchants/${merchant}">${merchant}</a>` },
    { name: say('address'), value: text(entry.address) },
    { name: say('request'), value: text(entry.request_id) },
    { name: say('link'), value: text(entry.link) },
  ])
  return {
    title: say('entry', { id }),
    heading: html`${command}`,
    back: { href: '/audit', text: viewer.say('audit') },
    content: `<div class="columns">${section(say('entry', { id }), about)}${section(
      say('changes'),
      changes.length === 0 ? html`<p class="soft">${say('noChanges')}</p>` : changesTable(titles, changes),
    )}</div>`,
  }
}

/** Who changed what, when and why, for staff. */
export function serveAudit(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page } = consoleRoutes(app, deps)
  page({
    url: '/audit',
    at: 'audit',
    async handle(opened) {
      const { subject, actor, command, since, until, after } = typed(opened.query)
      const { viewer } = opened
      const days = { since: startOf(since, viewer), until: startOf(until, viewer, 1) }
      const filter = { subject, actor, command, ...days, after }
      return listPage(opened, await opened.show('listAuditLog', { query: filter }))
    },
  })
  page({
    url: '/audit/verification',
    at: 'audit',
    async handle({ viewer, show }) {
      const say = viewer.texts(TEXTS)
      const { intact, faults, head } = await show('verifyAuditLog')
      const state = badge(say(intact ? 'intact' : 'changed'), intact ? 'good' : 'bad')
      return {
        title: say('verification'),
        heading: html`${say('verification')} !${state}`,
        back: { href: '/audit', text: viewer.say('audit') },
        content: `${faults.length === 0 ? '' : section(undefined, faults.map((fault) => html`<p>${fault}</p>`).join(''))}${
          head === undefined
            ? ''
            : section(say('head'), html`<p>${say('headText')}</p><p>!${copyable(viewer, head)}</p>`)
        }`,
      }
    },
  })
  page({
    url: '/audit/:entry',
    at: 'audit',
    handle: async (opened) =>
      entryPage(opened, await opened.show('showAuditEntry', { params: { entry: opened.params['entry'] ?? '' } })),
  })
}
