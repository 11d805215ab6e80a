import { html } from 'ghtml'
import type { Opened } from './console-routes.ts'
import { pageTexts } from './look/languages.ts'
import { copyable, facts, section } from './look/values.ts'

const TEXTS = pageTexts({
  en: {
    title: 'Shown only once',
    text: 'Pass this on now, by a way that nobody else reads. It is stored nowhere, and a new one ends it.',
    sign_in_link: 'Link to set up the sign-in, within 24 hours',
    login_code: 'One-time code for the command line, within 24 hours',
    public_key: 'Public key',
    secret: 'New key',
  },
  fr: {
    title: 'Affiché une seule fois',
    text: 'Transmettez ceci maintenant, par une voie que personne d’autre ne lit. Rien n’est enregistré, et un nouveau lien remplace celui-ci.',
    sign_in_link: 'Lien pour configurer la connexion, sous 24 heures',
    login_code: 'Code unique pour la ligne de commande, sous 24 heures',
    public_key: 'Clé publique',
    secret: 'Nouvelle clé',
  },
})

const NAMES = [
  'sign_in_link',
  'login_code',
  'public_key',
  'secret',
  'secret_key',
  'signing_key',
  'webhook_secret',
] as const

type Secrets = { readonly [Name in (typeof NAMES)[number] | 'name']?: string }

/** Whether a change has made what nobody can read again. */
export const hasSecrets = (outcome: object): boolean => NAMES.some((name) => name in outcome)

/** The secrets that a change has made, on a page that is never stored. */
export function onceShown({ viewer, reply }: Opened, outcome: Secrets) {
  const say = viewer.texts(TEXTS)
  reply.header('cache-control', 'no-store')
  const secrets = NAMES.map((name) => {
    const secret = outcome[name]
    return { name: say(name), value: secret === undefined ? undefined : copyable(viewer, secret) }
  })
  return {
    title: say('title'),
    ...(outcome.name !== undefined && { heading: html`${outcome.name}` }),
    back: { href: '/people', text: viewer.say('people') },
    content: section(say('title'), html`<p>${say('text')}</p>!${facts(secrets)}`),
  }
}
