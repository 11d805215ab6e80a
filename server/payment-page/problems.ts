import { html } from 'ghtml'
import { layout, type RenderedPage } from './layout.ts'
import { smallFooter } from './page-footer.ts'
import type { Translator, TextName } from './speech.ts'

interface Problem {
  readonly status: number
  readonly title: TextName
  readonly text: TextName
}

/** All pages without a payment; they share one layout. */
const PROBLEMS = {
  unknown: { status: 404, title: 'unknownTitle', text: 'unknownText' },
  /** An invalid address: broken percent-encoding. */
  malformed: { status: 400, title: 'unknownTitle', text: 'unknownText' },
  notAllowed: { status: 405, title: 'notAllowedTitle', text: 'notAllowedText' },
  tooLarge: { status: 413, title: 'notUnderstoodTitle', text: 'tooLargeText' },
  noForm: { status: 415, title: 'notUnderstoodTitle', text: 'notUnderstoodText' },
  incomplete: { status: 400, title: 'notUnderstoodTitle', text: 'notUnderstoodText' },
  foreign: { status: 403, title: 'foreignTitle', text: 'foreignText' },
  stale: { status: 403, title: 'staleTitle', text: 'staleText' },
  guesses: { status: 429, title: 'guessesTitle', text: 'guessesText' },
  away: { status: 503, title: 'awayTitle', text: 'awayText' },
  broken: { status: 500, title: 'brokenTitle', text: 'brokenText' },
} as const satisfies Readonly<Record<string, Problem>>

/** After an outage, clients should not return sooner than this. */
const AGAIN_S = 8

export type ProblemName = keyof typeof PROBLEMS

export const statusOf = (name: ProblemName): number => PROBLEMS[name].status

/**
 * A page that shows no payment.
 * @param path of the payment that the page links back to
 * @param waitSeconds after which a retry makes sense
 */
export function problemPage(
  name: ProblemName,
  speech: Translator,
  { path, waitSeconds = 0 }: { readonly path?: string; readonly waitSeconds?: number } = {},
): RenderedPage {
  const { text, say, seconds } = speech
  const problem: Problem = PROBLEMS[name]
  return layout({
    speech,
    ...(path !== undefined && { path }),
    title: `${text(problem.title)} · Malipo`,
    content: html`
<div class="column"><main class="card">
  <h1>!${say(problem.title)}</h1>
  <p>!${say(problem.text, { time: seconds(waitSeconds) })}</p>
  !${path === undefined ? '' : html`<p><a class="button primary" href="${path}">!${say('openAgain')}</a></p>`}
</main>
!${smallFooter(speech)}
</div>`,
    // A page that waits without a script reloads itself, and an outage must not end that.
    ...(name === 'away' &&
      path !== undefined && {
        refresh: html`<noscript><meta http-equiv="refresh" content="${AGAIN_S};url=${path}"></noscript>`,
      }),
  })
}
