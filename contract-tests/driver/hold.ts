import type { Target } from '../harness/part.ts'
import type { Findings } from './findings.ts'
import type { ApiReply } from './requests.ts'
import { lineOf } from './story.ts'

/**
 * Checks one rule. @param fault how it was broken; false: it holds @param replies the evidence: their requests form the
 * line that reproduces it @param pauseSeconds the wait before the last of them
 */
export type Hold = (
  about: string,
  rule: string,
  fault: string | false,
  subject: string,
  replies?: readonly ApiReply[],
  pauseSeconds?: number,
) => void

/** @param stamp part of all references of this run */
export const createHold =
  (target: Target, stamp: string, findings: Findings): Hold =>
  (about, rule, fault, subject, replies, pauseSeconds) =>
    fault === false
      ? findings.hold(about, 1, [], subject)
      : findings.hold(
          about,
          1,
          [{ rule, what: fault }],
          subject,
          replies && { curl: lineOf(target, stamp, replies, pauseSeconds) },
        )
