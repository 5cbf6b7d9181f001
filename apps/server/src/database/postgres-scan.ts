/** Rows by PostgreSQL's binary COPY: a third of the time that the query layer takes for them. */
import pg from 'pg'
import { CopyClient } from './postgres-copy.ts'
import type { Cells, Scan } from './scan.ts'

const SCAN = /^copy \(.*\) to stdout \(format binary\)$/s

export const scanStatement = (query: string): string => `copy (${query}) to stdout (format binary)`

export const isScan = (text: string): boolean => SCAN.test(text)

/** A client that hands the rows of a `copy ... to stdout` to its parameter. */
export class ScanClient extends CopyClient {
  override query(...given: readonly unknown[]): never {
    const [text, values] = given
    if (typeof text !== 'string' || !isScan(text)) return super.query(...given)
    const [take] = values as readonly [Scan['take']]
    return new Promise<pg.QueryResult>((resolve, reject) => {
      const query = new ScanQuery(text, take, (error, result) => (error ? reject(error) : resolve(result)))
      super.query(query as never)
    }) as never
  }
}

/** What starts a stream of rows: a signature, flags, and the length of an extension. */
const HEADER_LENGTH = 19

class ScanQuery extends pg.Query {
  readonly #take
  readonly #cells = new CopiedCells()
  #isBegun = false
  #failure: unknown = null

  constructor(text: string, take: Scan['take'], callback: (error: unknown, result: pg.QueryResult) => void) {
    super(text, [], ((error: unknown, result: pg.QueryResult) =>
      callback(error ?? this.#failure, result)) as never)
    this.#take = take
  }

  /** One message a row, the header before the first. What is thrown here would end the process. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#failure !== null) return
    try {
      if (this.#cells.begin(chunk, this.#isBegun ? 0 : HEADER_LENGTH)) this.#take(this.#cells)
      this.#isBegun = true
    } catch (error) {
      this.#failure = error
    }
  }
}

const NULL = -1
const HIGH = 2 ** 32

/** Each cell is its length in four bytes and then as many bytes. */
class CopiedCells implements Cells {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  /** False where the message ends the rows. */
  begin(bytes: Buffer, at: number): boolean {
    this.#bytes = bytes
    this.#at = at + 2
    return bytes.readInt16BE(at) >= 0
  }

  number(): number {
    const value = this.numberOrNull()
    if (value === null) throw new RangeError('a cell is empty')
    return value
  }

  numberOrNull(): number | null {
    if (this.#length() === NULL) return null
    const at = this.#at
    this.#at += 8
    return this.#bytes.readInt32BE(at) * HIGH + this.#bytes.readUInt32BE(at + 4)
  }

  bigint(): bigint {
    const at = this.#at + 4
    const value = this.number()
    return Number.isSafeInteger(value) ? BigInt(value) : this.#bytes.readBigInt64BE(at)
  }

  text(): string {
    const length = this.#length()
    if (length === NULL) throw new RangeError('a cell is empty')
    const at = this.#at
    this.#at += length
    return this.#bytes.toString('utf8', at, this.#at)
  }

  word<Word extends string>(words: readonly Word[]): Word {
    const length = this.#length()
    const found = words.find((word) => word.length === length && this.#isHere(word))
    if (found === undefined) throw new RangeError(`a cell is none of ${words.join(', ')}`)
    this.#at += length
    return found
  }

  #length(): number {
    const length = this.#bytes.readInt32BE(this.#at)
    this.#at += 4
    return length
  }

  #isHere(word: string): boolean {
    for (let index = 0; index < word.length; index += 1) {
      if (this.#bytes[this.#at + index] !== word.charCodeAt(index)) return false
    }
    return true
  }
}
