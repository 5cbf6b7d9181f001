/** Data key of a test server whose database has no data folder to keep one in. */
export const TEST_DATA_KEY = Buffer.alloc(32, 'test data key').toString('base64')
