/** What a sheet shows of its order. */
export type SheetView = 'detail' | 'stops' | 'part' | 'trailing' | 'parent'
