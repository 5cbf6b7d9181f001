import { useState } from 'react'

type Kept<Value> = { readonly keys: readonly unknown[]; readonly value: Value }

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((key, index) => Object.is(key, b[index]))

/** Keeps what was made last, and makes it anew once one of its keys is another, or there are more or fewer of them. */
export function keepLast<Value>(): (keys: readonly unknown[], make: () => Value) => Value {
  let last: Kept<Value> | null = null
  return (keys, make) => {
    if (last === null || !isSame(last.keys, keys)) last = { keys, value: make() }
    return last.value
  }
}

/** `useMemo` for as many keys as there are: a list of orders, the prices of some instruments. */
export function useMemoOf<Value>(keys: readonly unknown[], make: () => Value): Value {
  const [kept] = useState(() => keepLast<Value>())
  return kept(keys, make)
}
