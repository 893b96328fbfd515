import { serve } from "./process/lifecycle.js";
import { startFailure } from "./process/start-failure.js";

serve().catch((error: unknown) => {
  console.error(startFailure(error));
  process.exit(1); // whatever the failed start has left open
});
