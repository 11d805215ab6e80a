import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { table } from '../look/table.ts'
import { badge, button, copyable, facts, section, when } from '../look/values.ts'
import type { Viewer } from '../look/viewer.ts'
import { filledIn, serveTask, type Task } from '../task.ts'
import { KEY_TEXTS } from './texts.ts'

const KINDS = ['secret_key', 'signing_key', 'webhook_secret'] as const
/** How long an old key may stay valid, in seconds. */
const SPANS = ['0', '3600', '86400', '604800', '2592000'] as const
const USUAL_SPAN = '86400'

const merchantOf = ({ params, actor }: Opened): string =>
  actor.kind === 'merchant' ? String(actor.merchantId) : (params.merchant ?? '')
const pathOf = ({ params, actor }: Opened): string =>
  actor.kind === 'merchant' ? '/keys' : `/merchants/${params.merchant ?? ''}/keys`

type Key = AdminData<'listKeys'>['items'][number]

/** The keys of a merchant, for staff and for its own people. */
export function serveKeys(app: FastifyInstance, deps: ConsoleDeps): void {
  const isStaff = deps.audience === 'staff'
  const [base, at] = isStaff ? (['/merchants/:merchant/keys', 'merchants'] as const) : (['/keys', 'keys'] as const)
  consoleRoutes(app, deps).page({
    url: base,
    at,
    async handle(opened) {
      const { viewer, show, may } = opened
      const say = viewer.texts(KEY_TEXTS)
      const input = { params: { merchant: merchantOf(opened) } }
      const merchant = await show('showMerchant', input)
      const { items } = await show('listKeys', input)
      const part = (kind: (typeof KINDS)[number]): string =>
        section(
          say(kind),
          html`<p class="soft">${say(`${kind}Hint`)}</p>!${keyTable(
            viewer,
            say(kind),
            items.filter((key) => key.kind === kind),
          )}`,
          may('keys rotate') ? button({ href: `${pathOf(opened)}/${kind}`, text: say('rotate') }) : '',
        )
      return {
        title: say('keys'),
        ...(isStaff && { back: { href: `/merchants/${merchant.id}`, text: merchant.name } }),
        content: html`<p>${say('intro')}</p>!${section(
          say('publicKey'),
          html`<p class="soft">${say('publicHint')}</p><p>!${copyable(viewer, merchant.public_key)}</p>`,
        )}!${KINDS.map(part).join('')}!${deps.isSandbox ? html`<p class="soft">${say('inbox')}</p>` : ''}`,
      }
    },
  })
  for (const kind of KINDS) serveTask(app, deps, { url: `${base}/${kind}`, at, ...rotationOf(kind) })
}

const rotationOf = (kind: (typeof KINDS)[number]): Omit<Task<'rotateKey'>, 'url' | 'at'> => ({
  needs: 'recent',
  operation: 'rotateKey',
  async form(opened) {
    const say = opened.viewer.texts(KEY_TEXTS)
    return {
      title: say('rotateTitle', { kind: say(kind) }),
      back: { href: pathOf(opened), text: say('keys') },
      willHappen: say(`${kind}Will`),
      fields: [
        {
          name: 'keep_old_seconds',
          label: say('keepOld'),
          type: 'select',
          options: SPANS.map((span) => [span, say(`s${span}`)]),
        },
      ],
      values: { keep_old_seconds: USUAL_SPAN },
      asksReason: true,
      submit: say('rotate'),
    }
  },
  input: (fields, opened) => ({
    params: { merchant: merchantOf(opened) },
    body: { kind, keep_old_seconds: Number(fields.get('keep_old_seconds')), ...filledIn(fields, 'reason') },
  }),
  done: madePage,
})

function madePage(opened: Opened, { kind, secret, created_at, replaced }: AdminData<'rotateKey'>) {
  const { viewer, reply } = opened
  const say = viewer.texts(KEY_TEXTS)
  reply.header('cache-control', 'no-store')
  const old = replaced.map(({ key_id: id, expires_at: end }) =>
    end > created_at ? say('oldUntil', { id, at: viewer.moment(new Date(end)) }) : say('oldEnded', { id }),
  )
  return {
    title: say('madeTitle', { kind: say(kind) }),
    back: { href: pathOf(opened), text: say('toKeys') },
    content: section(
      say('keepIt'),
      html`!${facts([{ name: say(kind), value: copyable(viewer, secret) }])}!${old.map((text) => html`<p>${text}</p>`).join('')}`,
    ),
  }
}

function keyTable(viewer: Viewer, caption: string, keys: readonly Key[]): string {
  const say = viewer.texts(KEY_TEXTS)
  const state = ({ valid, expires_at: end }: Key): string => {
    if (end === undefined) return badge(say('valid'), 'good')
    const at = viewer.moment(new Date(end))
    return valid ? badge(say('until', { at }), 'warn') : badge(say('ended', { at }), 'calm')
  }
  return table({
    caption,
    rows: keys,
    columns: [
      { title: say('id'), cell: ({ id }) => html`${id}` },
      { title: say('state'), cell: state, onPhone: 'beside' },
      { title: say('created'), cell: ({ created_at: at }) => when(viewer, new Date(at)) },
    ],
  })
}
