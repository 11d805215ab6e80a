import type { RequestWriter, WireCase } from '../wire-case.ts'
import { ourCases } from './our-cases.ts'
import { bodyCases } from './bodies.ts'
import { connectionCases } from './connections.ts'
import { framingCases } from './framing.ts'
import { headerCases } from './headers.ts'
import { requestLineCases } from './request-lines.ts'
import { targetCases } from './targets.ts'

/** The table: every case, in its order. What a client library can send is asked by other parts. */
export const allCases = (writer: RequestWriter): readonly WireCase[] =>
  [requestLineCases, targetCases, headerCases, framingCases, connectionCases, bodyCases].flatMap((casesOf) =>
    casesOf(writer),
  )

/** The table for our contract. */
export const allOurCases = (writer: RequestWriter): readonly WireCase[] => [...allCases(writer), ...ourCases(writer)]
