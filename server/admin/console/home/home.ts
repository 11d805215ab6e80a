import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { consoleRoutes, type ConsoleDeps } from '../console-routes.ts'
import { pageTexts } from '../look/languages.ts'
import { section } from '../look/values.ts'

const TEXTS = pageTexts({
  en: {
    greeting: 'Hello {name}',
    role: 'Your role is {role}. It may:',
  },
  fr: {
    greeting: 'Bonjour {name}',
    role: 'Votre rôle est {role}. Il peut :',
  },
})

/** The first page of who is signed in: who they are, and what their role may do. */
export function serveHome(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoutes(app, deps).page({
    url: '/',
    at: 'today',
    async handle({ viewer, show }) {
      const say = viewer.texts(TEXTS)
      const { name, role, operations } = await show('showMe')
      return {
        title: say('greeting', { name }),
        content: section(
          say('role', { role }),
          html`<ul>!${operations.map((operation) => html`<li><code>${operation}</code></li>`).join('')}</ul>`,
        ),
      }
    },
  })
}
