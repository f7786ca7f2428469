// `npm run azure`: see docs/contributing/azure.md.
import { main } from "./command.js";

// A row that was given up may still poll.
process.exit(await main(process.argv.slice(2)));
