import { getLegalText } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { Api } from '../http/api.ts'
import { refuse } from '../http/refusal.ts'
import { inForce, textFor, versionsOf } from './legal-versions.ts'

/** Legal documents for anybody: what holds now, and whatever has held. `now`: real time, epoch ms. */
export function registerLegal(api: Api, queries: Queries, now: () => number): void {
  api.visitor(getLegalText, async ({ input: { document, version }, language }) => {
    const at = now()
    const begun = (await versionsOf(queries, [document])).filter((each) => Number(each.effective_at) <= at)
    const found =
      version === null
        ? inForce(begun, document, at)
        : (begun.find((each) => each.version === version) ?? null)
    if (!found) return refuse('legalVersionUnknown')
    return {
      ...{ version: found.version, effectiveAt: Number(found.effective_at) },
      body: await textFor(queries, found, language),
      versions: begun.map((each) => each.version),
    }
  })
}
