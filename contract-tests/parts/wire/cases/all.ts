import type { RequestWriter, WireCase } from '../wire-case.ts'
import { bodyCases } from './bodies.ts'
import { connectionCases } from './connections.ts'
import { framingCases } from './framing.ts'
import { headerCases } from './headers.ts'
import { jsonValueCases } from './json-values.ts'
import { requestLineCases } from './request-lines.ts'
import { targetCases } from './targets.ts'

/** The table: every case, in its order. */
export const allCases = (writer: RequestWriter): readonly WireCase[] =>
  [requestLineCases, targetCases, headerCases, framingCases, connectionCases, bodyCases, jsonValueCases].flatMap(
    (casesOf) => casesOf(writer),
  )
