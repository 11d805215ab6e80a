import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { EXCEPTION_KINDS } from '../../../domain/reconciliation.ts'
import type { AdminData } from '../../api/handler.ts'
import { amountOf, pageLinks, queryOf } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { filterBar } from '../look/filter-bar.ts'
import { actionForm } from '../look/form.ts'
import { pagedTable, table } from '../look/table.ts'
import { badge, button, emptyState, section, when } from '../look/values.ts'
import { TEXTS } from './texts.ts'

type Exception = AdminData<'listExceptions'>['items'][number]
const PATH = '/reconciliation'
const FILTERS = ['rail_account', 'kind', 'state', 'assigned_to'] as const

/** What differs, and the run that finds it. */
export function serveExceptionList(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  page({ url: PATH, at: 'reconciliation', handle: (opened) => listPage(opened) })
  page({ url: `${PATH}/claims`, at: 'reconciliation', handle: claimsPage })
  page({ url: `${PATH}/statements`, at: 'reconciliation', handle: importsPage })
  form({
    url: `${PATH}/run`,
    at: 'reconciliation',
    needs: 'session',
    async handle(opened, fields) {
      const railAccount = fields.get('rail_account') ?? ''
      const reason = fields.get('reason') ?? ''
      const run = await opened.change('runReconciliation', {
        params: { rail_account: railAccount },
        body: { reason },
        key: opened.idempotencyKey,
      })
      if (run.ok !== true)
        return listPage(opened, { values: { reason, rail_account: railAccount }, errors: errorsOf(run) })
      const { state, opened: found = 0, ended = 0, settled_lines: settled = 0 } = run.data
      const { number } = opened.viewer
      const say = opened.viewer.texts(TEXTS)
      if (state === 'running') return opened.done(PATH, say('runGoesOn'))
      return opened.done(
        PATH,
        say('runDone', { opened: number(found), ended: number(ended), settled: number(settled) }),
      )
    },
  })
}

/** What a change was refused for, as an error of its whole form. */
export const errorsOf = (reply: { readonly ok: unknown; readonly message?: string }): Record<string, string> => ({
  '': reply.message ?? '',
})

interface Typed {
  readonly values: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
}

async function listPage(opened: Opened, typed?: Typed) {
  const { viewer, show, query, may } = opened
  const say = viewer.texts(TEXTS)
  const filters = queryOf(query, [...FILTERS, 'after'])
  const [{ items, next }, { items: rails }] = await Promise.all([
    show('listExceptions', { query: filters }),
    show('listRailAccounts'),
  ])
  const names = rails.map(({ name }) => [name, name] as const)
  const bar = filterBar(viewer, {
    action: PATH,
    query,
    views: [
      { text: say('open'), query: '' },
      { text: say('mine'), query: 'assigned_to=me' },
      { text: say('ended'), query: 'state=ended' },
    ],
    fields: [
      { name: 'rail_account', label: say('railAccount'), type: 'select', options: names },
      { name: 'kind', label: say('kind'), type: 'select', options: EXCEPTION_KINDS.map((kind) => [kind, say(kind)]) },
      {
        name: 'state',
        label: say('state'),
        type: 'select',
        options: [
          ['open', say('open')],
          ['ended', say('ended')],
          ['all', say('all')],
        ],
      },
    ],
  })
  const isFiltered = Object.keys(filters).length > 0
  const list =
    items.length === 0
      ? emptyState({ title: say('empty'), text: say(isFiltered ? 'emptyFiltered' : 'emptyText') })
      : html`!${exceptionTable(opened, items)}!${pageLinks(viewer, PATH, query, { next, further: say('further') })}`
  return {
    title: say('title'),
    aside: html`<span class="buttons">!${button({ href: '/suspense', text: say('onSuspense') })}!${button({ href: `${PATH}/claims`, text: say('claims') })}!${button({ href: `${PATH}/statements`, text: say('imports') })}</span>`,
    content: html`<p class="soft">${say('intro')}</p>!${bar}!${list}!${
      may('reconcile run') && names.length > 0 ? runSection(opened, names, typed) : ''
    }`,
  }
}

const runSection = (opened: Opened, names: readonly (readonly [string, string])[], typed?: Typed): string => {
  const say = opened.viewer.texts(TEXTS)
  return section(
    say('runTitle'),
    actionForm(opened, {
      action: `${PATH}/run`,
      willHappen: say('runHappens'),
      fields: [{ name: 'rail_account', label: say('railAccount'), type: 'select', options: names }],
      asksReason: true,
      submit: say('runButton'),
      ...typed,
    }),
  )
}

function exceptionTable({ viewer }: Opened, rows: readonly Exception[]): string {
  const say = viewer.texts(TEXTS)
  const amount = (of: (row: Exception) => number | undefined) => (row: Exception) => {
    const value = of(row)
    return value === undefined ? '' : amountOf(viewer, value, row.currency)
  }
  return table({
    caption: say('differences'),
    rows,
    href: ({ id }) => `${PATH}/${id}`,
    columns: [
      { title: say('difference'), cell: ({ id, kind }) => html`!${badge(say(kind), 'warn')} <small>${id}</small>` },
      { title: say('suspense'), cell: amount(({ suspense }) => suspense), isNumeric: true, onPhone: 'beside' },
      { title: say('railAccount'), cell: ({ rail_account: name }) => html`${name}` },
      { title: say('expected'), cell: amount(({ expected }) => expected), isNumeric: true },
      { title: say('found'), cell: amount(({ found }) => found), isNumeric: true },
      {
        title: say('reference'),
        cell: ({ merchant_reference: ours, line_reference: theirs }) => html`${ours ?? theirs ?? ''}`,
      },
      { title: say('since'), cell: ({ opened_at: at }) => when(viewer, new Date(at)) },
      {
        title: say('assignedTo'),
        cell: ({ assigned_to: name, ended_by: by }) => html`${by ?? name ?? say('nobody')}`,
      },
    ],
  })
}

async function claimsPage({ viewer, show, query }: Opened) {
  const say = viewer.texts(TEXTS)
  const { items, next } = await show('listClaims', { query: queryOf(query, ['rail_account', 'after']) })
  const list = pagedTable(viewer, {
    caption: say('claims'),
    path: `${PATH}/claims`,
    query,
    next,
    empty: { title: say('noClaims'), text: say('claimsIntro') },
    rows: items,
    columns: [
      { title: say('receipt'), cell: ({ receipt }) => html`${receipt}` },
      {
        title: say('amount'),
        cell: ({ amount, currency }) => amountOf(viewer, amount, currency),
        isNumeric: true,
        onPhone: 'beside',
      },
      { title: say('railAccount'), cell: ({ rail_account: name }) => html`${name}` },
      { title: say('payer'), cell: ({ payer = '', reference = '' }) => html`${payer} <small>${reference}</small>` },
      { title: say('claimedAt'), cell: ({ claimed_at: at }) => when(viewer, new Date(at)) },
      { title: say('waitsFor'), cell: ({ waits_for: of }) => badge(say(of), of === 'operator' ? 'busy' : 'warn') },
    ],
  })
  return {
    title: say('claims'),
    back: { href: PATH, text: say('title') },
    content: items.length === 0 ? list : html`<p class="soft">${say('claimsIntro')}</p>!${list}`,
  }
}

async function importsPage({ viewer, show, query, may }: Opened) {
  const say = viewer.texts(TEXTS)
  const { items, next } = await show('listStatements', { query: queryOf(query, ['rail_account', 'after']) })
  const time = (at: string | undefined) => (at === undefined ? '' : when(viewer, new Date(at)))
  const list = pagedTable(viewer, {
    caption: say('imports'),
    path: `${PATH}/statements`,
    query,
    next,
    empty: { title: say('noImports'), text: say('noImportsText') },
    rows: items,
    columns: [
      { title: say('file'), cell: ({ name }) => html`${name}` },
      { title: say('railAccount'), cell: ({ rail_account: name }) => html`${name}`, onPhone: 'beside' },
      { title: say('imported'), cell: ({ imported_at: at }) => time(at) },
      { title: say('lines'), cell: ({ lines }) => viewer.number(BigInt(lines)), isNumeric: true },
      { title: say('newLines'), cell: ({ new_lines: count }) => viewer.number(BigInt(count)), isNumeric: true },
      { title: say('from'), cell: ({ first_at: at }) => time(at) },
      { title: say('until'), cell: ({ last_at: at }) => time(at) },
    ],
  })
  const ways = [
    ...(may('statement import') ? [button({ href: `${PATH}/import`, text: say('importTitle') })] : []),
    ...(may('statement pull') ? [button({ href: `${PATH}/pull`, text: say('pullTitle') })] : []),
  ]
  return {
    title: say('imports'),
    back: { href: PATH, text: say('title') },
    aside: html`<span class="buttons">!${ways.join('')}</span>`,
    content: list,
  }
}
