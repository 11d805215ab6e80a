import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { Pool } from '../../storage/pool.ts'
import type { Person } from '../queries/person.ts'
import { section } from '../console/look/values.ts'
import { form } from './admin-page.ts'
import { adminRoutes, pathOnward, signIn, type AdminDeps } from './admin-routes.ts'
import { findPerson, IS_OF, PERSON_COLUMNS } from './person.ts'
import { SIGN_IN_TEXTS } from './texts.ts'
import type { Visit } from './visit.ts'

// In a sandbox that only its own machine reaches, whoever looks may be anybody who has no way to sign in: the simulated
// money is as open there as the demo merchant's keys.

const SHOWN_MAX = 12
const PATH = '/try'

/** People of this listener without a way to sign in, the most powerful role first. */
const peopleToTry = async (pool: Pool, audience: AdminDeps['audience']): Promise<readonly Person[]> =>
  (
    await pool.query<Person>(
      `select ${PERSON_COLUMNS} from people p where p.ended_at is null and ${IS_OF[audience]}
         and not exists (select from sign_in_credentials c where c.person_id = p.id)
         and not exists (select from passkeys k where k.person_id = p.id)
       order by array_position(array['admin', 'owner', 'finance', 'support', 'developer', 'read-only'], p.role), p.id
       limit ${SHOWN_MAX}`,
    )
  ).rows

/** The part of the sign-in page by which a playground is entered; empty everywhere else. */
export async function playgroundPart(deps: AdminDeps, visit: Visit, next: string): Promise<string> {
  const people = deps.isPlayground ? await peopleToTry(deps.pool, deps.audience) : []
  if (people.length === 0) return ''
  const say = visit.viewer.texts(SIGN_IN_TEXTS)
  const entry = ({ id, name, role }: Person): string =>
    html`<li><div>${name}<small>${role}</small></div>!${form(
      visit,
      PATH,
      html`<input type="hidden" name="next" value="${next}"><input type="hidden" name="id" value="${String(id)}"><button aria-label="${say('enterAs', { name, role })}">${say('enter')}</button>`,
    )}</li>`
  return section(
    say('lookAround'),
    html`<p>${say('lookAroundText')}</p><ul class="rows">!${people.map(entry).join('')}</ul>`,
  )
}

/** Enters a playground as one of its people. */
export function servePlayground(app: FastifyInstance, deps: AdminDeps): void {
  adminRoutes(app, deps).form({
    url: PATH,
    needs: 'nobody',
    async handle(arrival, fields) {
      const id = fields.get('id') ?? ''
      const offered = await peopleToTry(deps.pool, deps.audience)
      const isOffered = deps.isPlayground && offered.some((one) => String(one.id) === id)
      const person = isOffered ? await findPerson(deps.pool, BigInt(id), deps.audience) : undefined
      if (!person) return arrival.reply.redirect('/sign-in', 303)
      await signIn(deps, arrival, person, { by: 'the playground of the sandbox' })
      return arrival.reply.redirect(pathOnward(deps, fields.get('next')), 303)
    },
  })
}
