import { PAGE_ROWS } from '@fairlot/contract'

/** What a call asks for of a list, newest first: a page by its number, or the rows after one. */
type Wanted = { readonly page: number; readonly before?: number | null }

/** Which rows of a list are read. */
export type RowSlice = { readonly limit: number; readonly offset: number; readonly before: bigint | null }

export const sliceOf = ({ page, before = null }: Wanted, limit = PAGE_ROWS): RowSlice =>
  before === null
    ? { limit, offset: (page - 1) * limit, before }
    : { limit, offset: 0, before: BigInt(before) }

export const ONE_ROW: RowSlice = { limit: 1, offset: 0, before: null }
