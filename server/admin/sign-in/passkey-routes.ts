import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyInstance } from 'fastify'
import { inTransaction } from '../../storage/pool.ts'
import { adminRoutes, isTooMany, pathOnward, signIn, type AdminDeps, type Arrival } from './admin-routes.ts'
import { auditSignIn } from './audit.ts'
import { LinkOver, openLink, useLink, type OpenLink } from './link-routes.ts'
import { authenticationOptions, checkPasskey, createdPasskey, registrationOptions, storePasskey } from './passkeys.ts'
import type { Person } from '../queries/person.ts'
import { endSessionsOf } from '../queries/end-sessions.ts'
import { requireRecent } from './sessions.ts'
import { SIGN_IN_TEXTS } from './texts.ts'
import type { Visit } from './visit.ts'

const saying = ({ viewer }: Visit) => viewer.texts(SIGN_IN_TEXTS)

/** What the script sends and gets (admin-script.ts). */
export function servePasskeys(app: FastifyInstance, deps: AdminDeps): void {
  serveUse(app, deps)
  serveAdding(app, deps)
}

function serveUse(app: FastifyInstance, deps: AdminDeps): void {
  const { json } = adminRoutes(app, deps)
  json({
    url: '/passkey/options',
    needs: 'nobody',
    async handle({ visit, reply }) {
      if (await isTooMany(deps, visit)) return reply.code(429).send({ error: saying(visit)('tooMany') })
      return reply.send({ options: await authenticationOptions(deps) })
    },
  })
  json({
    url: '/passkey',
    needs: 'nobody',
    async handle(arrival, { response, next }) {
      const { visit, reply } = arrival
      const person = await checkPasskey(deps, response as AuthenticationResponseJSON | undefined)
      const isOther = visit.session !== undefined && person?.id !== visit.session.person.id
      if (!person || isOther) return reply.code(401).send({ error: saying(visit)('unknownPasskey') })
      await signIn(deps, arrival, person, { by: 'passkey' })
      return reply.send({ goTo: pathOnward(deps, next) })
    },
  })
}

function serveAdding(app: FastifyInstance, deps: AdminDeps): void {
  const { json } = adminRoutes(app, deps)
  /** Who adds a passkey: whoever has a link of an admin, or has signed in recently. */
  const ownerOf = async ({ visit }: Arrival, token: unknown): Promise<Owner | 'not_recent' | undefined> => {
    const link = token === undefined ? undefined : await openLink(deps, visit, token)
    if (link) return { person: link.person, link }
    if (!visit.session) return undefined
    return requireRecent(visit.session, visit.now) ? { person: visit.session.person, link: undefined } : 'not_recent'
  }
  json({
    url: '/passkeys/options',
    needs: 'nobody',
    async handle(arrival, { link }) {
      const owner = await ownerOf(arrival, link)
      if (owner === 'not_recent') return arrival.reply.send({ goTo: '/again?next=%2Faccount' })
      if (!owner) return arrival.reply.code(401).send({ error: saying(arrival.visit)('passkeyNotAdded') })
      if (await isTooMany(deps, arrival.visit))
        return arrival.reply.code(429).send({ error: saying(arrival.visit)('tooMany') })
      return arrival.reply.send({ options: await registrationOptions(deps, owner.person) })
    },
  })
  json({
    url: '/passkeys',
    needs: 'nobody',
    async handle(arrival, { link: token, response, name }) {
      const { visit, reply } = arrival
      const owner = await ownerOf(arrival, token)
      if (owner === 'not_recent' || !owner) return reply.code(401).send({ error: saying(visit)('passkeyNotAdded') })
      const { person, link } = owner
      const passkey = await createdPasskey(deps, person, response as RegistrationResponseJSON)
      if (!passkey) return reply.code(400).send({ error: saying(visit)('passkeyNotAdded') })
      const { address, now, session, browser } = visit
      const isAdded = await inTransaction(deps.pool, async (client) => {
        if (link) await useLink(client, link, visit)
        await auditSignIn(client, { event: 'passkey add', person, address, now })
        await storePasskey(client, person.id, passkey, { name: nameOf(name) || browser, now })
        if (!link) await endSessionsOf(client, person.id, session?.id)
        return true
      }).catch((error: unknown) => {
        if (error instanceof LinkOver) return false
        throw error
      })
      if (!isAdded) return reply.code(400).send({ error: saying(visit)('passkeyNotAdded') })
      if (link) await signIn(deps, arrival, person, { by: 'link', former: undefined })
      return reply.send({ goTo: link ? '/' : '/account' })
    },
  })
}

/** What somebody calls a passkey; PostgreSQL stores no NUL. */
const nameOf = (name: unknown): string => (typeof name === 'string' ? name.replaceAll('\0', '') : '')

interface Owner {
  readonly person: Person
  readonly link: OpenLink | undefined
}
