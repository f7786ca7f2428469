/** Tests that you can run against your own implementations of this package's interfaces. */
export {
  type DeduplicationTest,
  type DeduplicationTestOptions,
  deduplicationTests,
} from "./deduplication-tests.js";
