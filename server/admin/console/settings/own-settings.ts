import type { FastifyInstance } from 'fastify'
import { consoleRoutes, type ConsoleDeps } from '../console-routes.ts'
import { actions, brandActions, brandPart, urlsPart } from '../merchants/merchant.ts'
import { MERCHANT_TEXTS } from '../merchants/texts.ts'

/** What people of a merchant set themselves: where callbacks go, and what customers see. */
export function serveOwnSettings(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoutes(app, deps).page({
    url: '/settings',
    at: 'settings',
    async handle(opened) {
      const { viewer, actor, show } = opened
      const say = viewer.texts(MERCHANT_TEXTS)
      const id = actor.kind === 'merchant' ? String(actor.merchantId) : ''
      const merchant = await show('showMerchant', { params: { merchant: id } })
      const act = actions(opened, '/settings')
      return {
        title: say('settings'),
        content: `${urlsPart(viewer, merchant, act([['merchant set', 'urls', say('change')]]))}${brandPart(
          viewer,
          merchant,
          act(brandActions(say)),
        )}`,
      }
    },
  })
}
