import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { actionForm, type ActionForm } from '../look/form.ts'
import { section } from '../look/values.ts'
import { TEXTS } from './texts.ts'

const URL = '/rails/:rail_account/movement'

/** Books what was moved at the operator without Malipo. */
export function serveMovement(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  page({ url: URL, at: 'rails', handle: (opened) => movementPage(opened) })
  form({
    url: URL,
    at: 'rails',
    needs: 'recent',
    handle: async (opened, fields) => {
      const say = opened.viewer.texts(TEXTS)
      const name = opened.params['rail_account'] ?? ''
      const values = Object.fromEntries(fields)
      const { direction, amount, reference, reason } = values
      const reply = await opened.change('bookOwnMovement', {
        params: { rail_account: name },
        body: { direction, amount, reference, reason },
        key: opened.idempotencyKey,
      })
      if (reply.ok === false) return movementPage(opened, { values, errors: { '': reply.message } })
      if (reply.ok === 'waits') return opened.done(`/rails/${name}`, say('waits', { id: reply.approvalId }))
      return opened.done(`/rails/${name}`, say(reply.data.booked_before ? 'movedBefore' : 'moved'))
    },
  })
}

async function movementPage(opened: Opened, typed?: Pick<ActionForm, 'values' | 'errors'>) {
  const { viewer, show, params } = opened
  const say = viewer.texts(TEXTS)
  const { rail_account: rail } = await show('showRailAccount', {
    params: { rail_account: params['rail_account'] ?? '' },
  })
  const { name, currency } = rail
  const form = actionForm(opened, {
    action: `/rails/${name}/movement`,
    fields: [
      {
        name: 'direction',
        label: say('direction'),
        type: 'select',
        options: [
          ['in', say('in')],
          ['out', say('out')],
        ],
      },
      { name: 'amount', label: say('amount', { currency }), type: 'amount', autocomplete: 'off' },
      { name: 'reference', label: say('reference'), hint: say('referenceHint'), lengthMax: 100, autocomplete: 'off' },
    ],
    asksReason: true,
    isDangerous: true,
    willHappen: say('moveHappens', { name }),
    submit: say('moveButton'),
    cancel: `/rails/${name}`,
    ...typed,
  })
  return {
    title: say('move'),
    back: { href: `/rails/${name}`, text: name },
    content: html`<p class="soft">${say('moveIntro')}</p>!${section(undefined, form)}`,
  }
}
