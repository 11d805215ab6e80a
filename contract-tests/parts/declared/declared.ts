import { readContract } from '../../../openapi/reading/contract.ts'
import { beginPart, type Part } from '../../harness/part.ts'
import { createSurvey } from './survey.ts'

/**
 * Requests everything that the contract declares, once each: one request, one difference, one verdict, one curl line.
 */
export const declaredPart: Part = {
  name: 'declared',
  what: 'each thing the contract declares, once',
  byOperation: true,
  async run(target, options) {
    const { done } = beginPart('declared', options.seed)
    const survey = createSurvey(target, readContract(target.contract), options)
    await survey.run()
    return done(survey.result())
  },
}
