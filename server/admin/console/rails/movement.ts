import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { ConsoleDeps } from '../console-routes.ts'
import { filledIn, serveTask } from '../task.ts'
import { TEXTS } from './texts.ts'

/** Books what was moved at the operator without Malipo. */
export function serveMovement(app: FastifyInstance, deps: ConsoleDeps): void {
  serveTask(app, deps, {
    url: '/rails/:rail_account/movement',
    at: 'rails',
    needs: 'recent',
    operation: 'bookOwnMovement',
    async form({ viewer, show, params }) {
      const say = viewer.texts(TEXTS)
      const { rail_account: rail } = await show('showRailAccount', {
        params: { rail_account: params['rail_account'] ?? '' },
      })
      const { name, currency } = rail
      return {
        title: say('move'),
        back: { href: `/rails/${name}`, text: name },
        above: html`<p class="soft">${say('moveIntro')}</p>`,
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
          {
            name: 'reference',
            label: say('reference'),
            hint: say('referenceHint'),
            lengthMax: 100,
            autocomplete: 'off',
          },
        ],
        asksReason: true,
        isDangerous: true,
        willHappen: say('moveHappens', { name }),
        submit: say('moveButton'),
      }
    },
    input: (fields, { params }) => ({
      params: { rail_account: params['rail_account'] ?? '' },
      body: filledIn(fields, 'direction', 'amount', 'reference', 'reason'),
    }),
    done: ({ viewer, params, done }, { booked_before: isKnown }) =>
      done(`/rails/${params['rail_account'] ?? ''}`, viewer.texts(TEXTS)(isKnown ? 'movedBefore' : 'moved')),
  })
}
