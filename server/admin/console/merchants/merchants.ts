import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { fieldOf } from '../look/form.ts'
import { pager, table } from '../look/table.ts'
import { badge, button, copyable, emptyState, facts, section, when } from '../look/values.ts'
import { filledIn, serveTask } from '../task.ts'
import { MERCHANT_TEXTS } from './texts.ts'
import { urlFields, urlsOf, type SayMerchant } from './url-fields.ts'

const LIST = '/merchants'

/** The list of merchants with its search, and the page that creates one. */
export function serveMerchants(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoutes(app, deps).page({ url: LIST, at: 'merchants', handle: list })
  serveTask(app, deps, {
    url: `${LIST}/new`,
    at: 'merchants',
    needs: 'recent',
    operation: 'createMerchant',
    async form({ viewer }) {
      const say = viewer.texts(MERCHANT_TEXTS)
      return {
        title: say('create'),
        back: { href: LIST, text: say('merchants') },
        willHappen: say('createWill'),
        fields: [{ name: 'name', label: say('name'), lengthMax: 100 }, ...urlFields(say)],
        asksReason: true,
        submit: say('create'),
      }
    },
    input: (fields) => ({ body: { ...filledIn(fields, 'name', 'reason'), ...urlsOf(fields, {}) } }),
    done: ({ viewer, reply }, data) => {
      reply.header('cache-control', 'no-store')
      const say = viewer.texts(MERCHANT_TEXTS)
      const { merchant_id: id, public_key, secret_key, signing_key, webhook_secret } = data
      return {
        title: say('createdTitle', { name: public_key }),
        back: { href: `${LIST}/${id}`, text: say('toMerchant') },
        content: section(
          say('keepKeys'),
          facts([
            { name: say('publicKey'), value: copyable(viewer, public_key) },
            { name: say('secret_key'), value: copyable(viewer, secret_key) },
            { name: say('signing_key'), value: copyable(viewer, signing_key) },
            { name: say('webhook_secret'), value: copyable(viewer, webhook_secret) },
          ]),
        ),
      }
    },
  })
}

type MerchantRow = AdminData<'listMerchants'>['items'][number]

async function list({ viewer, query, show, may }: Opened) {
  const say = viewer.texts(MERCHANT_TEXTS)
  const [q, after] = [query.get('q')?.trim() || undefined, query.get('after') ?? undefined]
  const { items, next } = await show('listMerchants', { query: { q, after } })
  const search = html`<form class="find" action="!${LIST}">!${fieldOf(viewer, { name: 'q', label: say('find'), isOptional: true, lengthMax: 100 }, q ?? '', undefined, false)}<button class="primary">${say('search')}</button></form>`
  const linkTo = (place: string): string =>
    `${LIST}?${new URLSearchParams({ ...(q !== undefined && { q }), after: place }).toString()}`
  const create = { href: `${LIST}/new`, text: say('create') }
  const none = q
    ? emptyState({ title: say('notFoundTitle'), text: say('notFoundText'), next: { href: LIST, text: say('all') } })
    : emptyState({ title: say('noneTitle'), text: say('noneText'), next: create })
  return {
    title: say('merchants'),
    aside: may('merchant create') ? button(create, 'primary') : '',
    content: `${search}${items.length === 0 ? none : tableOf({ viewer, items })}${
      after === undefined && next === undefined
        ? ''
        : pager(viewer, {
            count: items.length,
            first: after === undefined ? undefined : LIST,
            next: next === undefined ? undefined : linkTo(next),
          })
    }`,
  }
}

function tableOf({ viewer, items }: { readonly viewer: Opened['viewer']; readonly items: readonly MerchantRow[] }) {
  const say = viewer.texts(MERCHANT_TEXTS)
  return table({
    caption: say('merchants'),
    rows: items,
    href: ({ id }) => `${LIST}/${id}`,
    columns: [
      { title: say('name'), cell: ({ name }) => html`${name}` },
      { title: say('state'), cell: (row) => stateBadge(say, row), onPhone: 'beside' },
      { title: say('publicKey'), cell: ({ public_key: key }) => html`<code>${key}</code>` },
      { title: say('callbacks'), cell: ({ collection_callback_url: url }) => html`${url ?? '–'}`, onPhone: 'hidden' },
      { title: say('created'), cell: ({ created_at: at }) => when(viewer, new Date(at)) },
    ],
  })
}

/** Whether a merchant may start payments. */
export const stateBadge = (say: SayMerchant, { suspended_at: at }: Pick<MerchantRow, 'suspended_at'>): string =>
  at === undefined ? badge(say('active'), 'good') : badge(say('suspended'), 'bad')
