/** What came of counting some rows of a source. */
export type CountedRows = {
  readonly last: { readonly id: bigint; readonly at: bigint } | null
  /** True when there were no more. */
  readonly isAll: boolean
}
