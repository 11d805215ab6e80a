import { readContract } from '../../../openapi/reading/contract.ts'
import type { Part } from '../../harness/part.ts'
import { createSurvey } from './survey.ts'

/**
 * Asks once for everything that the contract declares: each example, each parameter and field given, left out and
 * wrong, each key, each refusal. One request, one difference, one verdict: what it finds, one curl line shows.
 */
export const declaredPart: Part = {
  name: 'declared',
  what: 'each thing the contract declares, once',
  async run(target, options) {
    const startedAt = performance.now()
    const survey = createSurvey(target, readContract(target.contract), options)
    await survey.run()
    const { findings, cases, checks } = survey.result()
    return {
      part: 'declared',
      status: findings.length === 0 ? 'passed' : 'findings',
      findings,
      cases,
      checks,
      seed: options.seed,
      durationMs: Math.round(performance.now() - startedAt),
    }
  },
}
