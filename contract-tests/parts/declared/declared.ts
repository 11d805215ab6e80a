import { readContract } from '../../../openapi/reading/contract.ts'
import { beginPart, type Part } from '../../harness/part.ts'
import { createSurvey } from './survey.ts'

/**
 * Asks once for everything that the contract declares: each example, each parameter and field given, left out and
 * wrong, each key, each refusal. One request, one difference, one verdict: what it finds, one curl line shows.
 */
export const declaredPart: Part = {
  name: 'declared',
  what: 'each thing the contract declares, once',
  async run(target, options) {
    const { done } = beginPart('declared', options.seed)
    const survey = createSurvey(target, readContract(target.contract), options)
    await survey.run()
    return done(survey.result())
  },
}
