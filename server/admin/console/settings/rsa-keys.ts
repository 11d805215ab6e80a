import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import type { ConsoleDeps } from '../console-routes.ts'
import { table } from '../look/table.ts'
import { badge, when } from '../look/values.ts'
import type { Viewer } from '../look/viewer.ts'
import { filledIn, serveTask } from '../task.ts'
import { SETTINGS_TEXTS } from './texts.ts'

type RsaKey = AdminData<'listRsaKeys'>['items'][number]
const PATH = '/settings'

/** The gateway's own keys, which sign callbacks for all merchants. */
export function rsaKeyTable(viewer: Viewer, keys: readonly RsaKey[], mayWithdraw: boolean): string {
  const say = viewer.texts(SETTINGS_TEXTS)
  return table({
    caption: say('rsaKeys'),
    rows: keys,
    ...(mayWithdraw && { href: ({ id }: RsaKey) => `${PATH}/rsa-keys/${id}` }),
    columns: [
      { title: say('key'), cell: ({ id }) => html`${id}` },
      {
        title: say('state'),
        cell: ({ signs, withdrawn_at: withdrawn }) =>
          withdrawn ? badge(say('withdrawn'), 'calm') : badge(say(signs ? 'signs' : 'stillServed'), 'good'),
        onPhone: 'beside',
      },
      { title: say('at'), cell: ({ created_at: at }) => when(viewer, new Date(at)) },
    ],
  })
}

/** Makes a new RSA key, and withdraws one that has leaked. */
export function serveRsaKeys(app: FastifyInstance, deps: ConsoleDeps): void {
  const shared = { at: 'settings', needs: 'recent' } as const
  serveTask(app, deps, {
    ...shared,
    url: `${PATH}/rsa-keys`,
    operation: 'rotateRsaKey',
    async form({ viewer }) {
      const say = viewer.texts(SETTINGS_TEXTS)
      const back = { href: PATH, text: say('settings') }
      return {
        title: say('newRsaKey'),
        back,
        willHappen: say('newRsaWill'),
        asksReason: true,
        submit: say('newRsaKey'),
      }
    },
    input: (fields) => ({ body: filledIn(fields, 'reason') }),
    done: (opened) => opened.done(PATH, opened.viewer.texts(SETTINGS_TEXTS)('newRsaDone')),
  })
  serveTask(app, deps, {
    ...shared,
    url: `${PATH}/rsa-keys/:key`,
    operation: 'withdrawRsaKey',
    async form({ viewer, params }) {
      const say = viewer.texts(SETTINGS_TEXTS)
      return {
        title: say('withdrawTitle', { key: params.key ?? '' }),
        back: { href: PATH, text: say('settings') },
        willHappen: say('withdrawWill'),
        asksReason: true,
        isDangerous: true,
        submit: say('withdraw'),
      }
    },
    input: (fields, { params }) => ({ params: { key: params.key ?? '' }, body: filledIn(fields, 'reason') }),
    done: (opened) => opened.done(PATH, opened.viewer.texts(SETTINGS_TEXTS)('withdrawDone')),
  })
}
