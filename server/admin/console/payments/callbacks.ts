import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps } from '../console-routes.ts'
import { filterBar } from '../look/filter-bar.ts'
import type { Field } from '../look/form.ts'
import { refusalTitle } from '../look/page.ts'
import { pagedTable, type Column } from '../look/table.ts'
import { button, copyable, facts, section, timeline, when } from '../look/values.ts'
import type { SayOf, Viewer } from '../look/viewer.ts'
import { filledIn, serveTask, type Task } from '../task.ts'
import { dayBegins } from './amounts.ts'
import { callbackBadge, resendForm } from './callback-parts.ts'
import { receiverName, sendToReceiver } from './received.ts'
import { TEXTS } from './texts.ts'

type Texts = SayOf<typeof TEXTS>
type Callback = AdminData<'showCallback'>

const PATH = '/callbacks'
const DAY_MS = 86_400_000

/** Callbacks: which did not arrive, every attempt of one, and sending them again. */
export function serveCallbacks(app: FastifyInstance, deps: ConsoleDeps): void {
  const routes = consoleRoutes(app, deps)
  serveList(routes, deps)
  serveTask(app, deps, resendMany(deps))
  serveCallback(routes, deps)
}

type Routes = ReturnType<typeof consoleRoutes>

const merchantField = ({ audience }: ConsoleDeps, say: Texts): readonly Field[] =>
  audience === 'staff' ? [{ name: 'merchant', label: say('merchant'), lengthMax: 64 }] : []

function serveList({ page }: Routes, deps: ConsoleDeps): void {
  page({
    url: PATH,
    at: 'callbacks',
    async handle({ viewer, query, change, may }) {
      const say = viewer.texts(TEXTS)
      const given = Object.fromEntries([...query].filter(([name, value]) => value !== '' && name !== 'lang'))
      const found = await change('listCallbacks', { query: given })
      const { items, next } = found.ok === true ? found.data : { items: [], next: undefined }
      const states = [
        ['failed', say('failed')],
        ['retrying', say('retrying')],
      ] as const
      const list = pagedTable(viewer, {
        caption: viewer.say('callbacks'),
        path: PATH,
        query: new URLSearchParams(given),
        next,
        empty: { title: say('noCallback'), text: say('noCallbackText') },
        columns: columnsFor(viewer, say),
        rows: items,
        href: ({ id }) => `${PATH}/${id}`,
      })
      return {
        title: viewer.say('callbacks'),
        aside: html`<div class="buttons">!${may('callback resend') ? button({ href: `${PATH}/resend`, text: say('resendAll') }) : ''}!${
          deps.audience === 'staff' ? '' : button({ href: '/received', text: receiverName(viewer) })
        }</div>`,
        ...(found.ok === false && { flash: { kind: 'failed' as const, text: found.message } }),
        content:
          filterBar(viewer, {
            action: PATH,
            query,
            views: [
              { text: say('all'), query: '' },
              ...states.map(([state, text]) => ({ text, query: `state=${state}` })),
            ],
            fields: [
              { name: 'state', label: say('state'), type: 'select', options: states },
              { name: 'payment', label: say('payment'), lengthMax: 100 },
              ...merchantField(deps, say),
            ],
          }) + list,
      }
    },
  })
}

const resendMany = (deps: ConsoleDeps): Task<'resendCallbacks'> => ({
  url: `${PATH}/resend`,
  at: 'callbacks',
  needs: 'session',
  operation: 'resendCallbacks',
  async form({ viewer }) {
    const say = viewer.texts(TEXTS)
    const lastWeek = new Date(deps.clock.now().getTime() - 7 * DAY_MS).toISOString().slice(0, 10)
    return {
      title: say('resendAllTitle'),
      back: { href: PATH, text: viewer.say('callbacks') },
      willHappen: say('resendAllWill'),
      fields: [{ name: 'since', label: say('since'), type: 'date' }, ...merchantField(deps, say)],
      asksReason: true,
      submit: say('resend'),
      cancel: `${PATH}?state=failed`,
      values: { since: lastWeek },
    }
  },
  input(fields, { viewer }) {
    const { since = '', ...others } = filledIn(fields, 'since', 'merchant', 'reason')
    return { body: { since: dayBegins(since, viewer.zone), status: 'STOPPED', ...others } }
  },
  done({ viewer, done }, { callbacks = 0, more }) {
    const say = viewer.texts(TEXTS)
    return done(PATH, `${say.counted('resent', callbacks)}${more ? ` ${say('moreLeft')}` : ''}`)
  },
})

function serveCallback({ page, form }: Routes, deps: ConsoleDeps): void {
  page({
    url: `${PATH}/:callback`,
    at: 'callbacks',
    async handle(opened) {
      const { viewer, show, params, may } = opened
      const say = viewer.texts(TEXTS)
      const callback = await show('showCallback', { params: { callback: params['callback'] ?? '' } })
      const { id, body } = callback
      const test = deps.audience === 'staff' ? '' : resendForm(opened, `${PATH}/${id}/test`, sendToReceiver(viewer))
      const forms = resendForm(opened, `${PATH}/${id}/resend`, say('resend')) + test
      return {
        title: say('callback', { id }),
        heading: html`${say('callback', { id })} !${callbackBadge(say, callback)}`,
        back: { href: PATH, text: viewer.say('callbacks') },
        aside: may('callback resend') ? html`<div class="buttons">!${forms}</div>` : '',
        content: html`!${callback.waits_for_url ? html`<p>${say('waitsForUrl')}</p>` : ''}<div class="columns">!${
          section(undefined, factsOf(viewer, say, callback)) +
          section(say('attemptsMade'), attemptsOf(viewer, say, callback))
        }</div>!${body ? section(say('body'), html`<pre tabindex="0">${body}</pre>`) : ''}`,
      }
    },
  })
  form({
    url: `${PATH}/:callback/resend`,
    at: 'callbacks',
    needs: 'session',
    async handle({ viewer, change, done, params, reply, idempotencyKey: key }) {
      const callback = params['callback'] ?? ''
      const sent = await change('resendCallback', { params: { callback }, body: {}, key })
      if (sent.ok === true) return done(`${PATH}/${callback}`, viewer.texts(TEXTS).counted('resent', 1))
      const [status, text] = sent.ok === false ? [sent.status, sent.message] : [403, '']
      reply.code(status)
      return { title: refusalTitle(viewer, status), content: '', flash: { kind: 'failed' as const, text } }
    },
  })
}

const columnsFor = (viewer: Viewer, say: Texts): readonly Column<Callback>[] => [
  { title: say('reference'), cell: (row) => html`${row.merchant_reference}` },
  { title: say('status'), cell: (row) => callbackBadge(say, row), onPhone: 'beside' },
  { title: say('created'), cell: (row) => when(viewer, new Date(row.created_at)), onPhone: 'left' },
  { title: say('attempts'), cell: ({ attempts }) => viewer.number(attempts), isNumeric: true, onPhone: 'hidden' },
  { title: say('next'), cell: ({ next_attempt_at: next }) => (next ? when(viewer, new Date(next)) : '') },
  { title: say('url'), cell: ({ url }) => html`${url || say('noUrl')}` },
]

const factsOf = (viewer: Viewer, say: Texts, callback: Callback): string =>
  facts([
    {
      name: say('payment'),
      value: html`<a class="quiet" href="/payments/${callback.transaction_id}">${callback.merchant_reference}</a>`,
    },
    { name: say('event'), value: html`${callback.event}` },
    { name: 'webhook-id', value: copyable(viewer, callback.webhook_id) },
    { name: say('url'), value: html`${callback.url || say('noUrl')}` },
    { name: say('created'), value: when(viewer, new Date(callback.created_at)) },
    { name: say('next'), value: callback.next_attempt_at && when(viewer, new Date(callback.next_attempt_at)) },
  ])

const attemptsOf = (viewer: Viewer, say: Texts, { attempts_made: attempts = [] }: Callback): string =>
  attempts.length === 0
    ? html`<p class="soft">${say('noAttempt')}</p>`
    : timeline(
        viewer,
        attempts.map(
          ({ at, attempt, url = '', http_status: status, error, duration_ms: duration, reply_excerpt: reply }) => ({
            at: new Date(at),
            title: `${attempt}. ${status === undefined ? (error ?? say('noAnswer')) : `HTTP ${status}`}`,
            detail: html`<small>${url}, ${say('milliseconds', { count: viewer.number(duration) })}</small>`,
            tone: status !== undefined && status < 300 ? ('good' as const) : ('bad' as const),
            ...(reply && { bodies: [{ title: say('received'), text: reply }] }),
          }),
        ),
      )
