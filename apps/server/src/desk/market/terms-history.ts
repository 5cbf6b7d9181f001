/** Changes of terms as they were decided, from their table. */
import { DESK_PAGE_ROWS, type TermsChangeRow } from '@fairlot/contract/desk'
import type { Author } from '@fairlot/core'
import type { Queries } from '../../database/open.ts'
import type { TermsChangeTable } from '../../database/schema.ts'
import { authorCodec, decodeTermsChange } from '../../engine/journal/terms-codec.ts'
import { changedFields } from '../../market/terms-fields.ts'

type Status = TermsChangeRow['status']
type Asked = { readonly page: number; readonly status: Status | null }

/** A page of the changes, the newest first; `codeOf` names an instrument. */
export async function readTermsHistory(
  queries: Queries,
  { page, status }: Asked,
  codeOf: (id: number) => string,
  limit = DESK_PAGE_ROWS,
) {
  const found = queries
    .selectFrom('terms_change')
    .$if(status === 'withdrawn', (query) => query.where('withdrawn_at', 'is not', null))
    .$if(status === 'inForce', (query) => query.where('in_effect_at', 'is not', null))
    .$if(status === 'announced', (query) =>
      query.where('withdrawn_at', 'is', null).where('in_effect_at', 'is', null),
    )
  const { total } = await found.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy('change_id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const names = await operatorNames(queries)
  const changes: TermsChangeRow[] = []
  for (const row of rows) {
    const before = await replacedBy(queries, row)
    const author = authorCodec.read(JSON.parse(row.author)) as Author
    const after = decodeTermsChange(row.body)
    const nameOf = (id: number) => names.get(id) ?? `operator ${id}`
    changes.push({
      ...{ changeId: Number(row.change_id), kind: after.kind, status: statusOf(row), reason: row.reason },
      subject:
        after.kind === 'instrument' || after.kind === 'source' ? codeOf(Number(row.subject)) : row.subject,
      ...{ decidedAt: Number(row.at), effectiveAt: Number(row.effective_at) },
      author: author.type === 'operator' ? nameOf(author.id) : 'deployment',
      second: author.type === 'operator' && author.second ? nameOf(author.second.id) : null,
      changes: changedFields(before, after),
    })
  }
  return { changes, total: Number(total) }
}

function statusOf({ in_effect_at, withdrawn_at }: TermsChangeTable): Status {
  if (withdrawn_at !== null) return 'withdrawn'
  return in_effect_at === null ? 'announced' : 'inForce'
}

/** The last of its kind that was in force when it was to hold; for one that is announced, what is in force now. */
async function replacedBy(queries: Queries, { kind, subject, version }: TermsChangeTable) {
  const row = await queries
    .selectFrom('terms_change')
    .select('body')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('version', 'is not', null)
    .$if(version !== null, (query) => query.where('version', '<', version))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? decodeTermsChange(row.body) : null
}

async function operatorNames(queries: Queries): Promise<ReadonlyMap<number, string>> {
  const rows = await queries.selectFrom('operator').select(['id', 'name']).execute()
  return new Map(rows.map(({ id, name }) => [Number(id), name]))
}
