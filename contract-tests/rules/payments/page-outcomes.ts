import { faultIf, type Fault } from '../observed-exchange.ts'
import { hasForm, headingOf, languageOf } from '../page-text.ts'
import type { Judging, Rule } from '../rule.ts'
import { createFinalOutcomes } from './final-outcomes.ts'

const PAGES_MAX = 20_000

/** The page of a final payment has no form, and a heading that tells what was paid from what was not. */
function pageOutcomeJudging(): Judging {
  const outcomes = createFinalOutcomes()
  const pages: { readonly reference: string; readonly heading: string; readonly shownAt: number }[] = []
  return {
    each: (seen) => {
      outcomes.note(seen)
      const { reference = '', html } = outcomes.pageIn(seen) ?? {}
      if (html === undefined) return []
      const heading = `${languageOf(html)}: ${headingOf(html)}`
      if (pages.length < PAGES_MAX) pages.push({ reference, heading, shownAt: seen.ended })
      const what = `the payment page of ${reference} still has a form, although the collection is final`
      return faultIf(hasForm(html), 'form of a final page', what, 'payment page')
    },
    end: () => {
      const certain = pages.map((page) => ({ ...page, status: outcomes.statusAfter(page.reference, page.shownAt) }))
      const paid = new Map(certain.filter(({ status }) => status === 'COMPLETED').map((page) => [page.heading, page]))
      return certain.flatMap(({ reference, heading, status }): readonly Fault[] => {
        const other = status === 'COMPLETED' ? undefined : paid.get(heading)
        const what = `the payment page of ${reference}, which is ${status}, has the heading ${JSON.stringify(heading)}; so has that of ${other?.reference}, which is COMPLETED: one of them tells its customer a wrong outcome`
        return faultIf(status !== undefined && other !== undefined, `heading of ${status}`, what, 'payment page')
      })
    },
  }
}

export const pageOutcomesRule: Rule = {
  name: 'outcomes of pages',
  reason: 'The page of a final payment has no form, and tells what was paid from what was not.',
  plantedFault: 'page-says-paid-of-failed',
  judging: pageOutcomeJudging,
}
