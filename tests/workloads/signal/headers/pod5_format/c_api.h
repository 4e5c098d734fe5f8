/* What code that is copied needs of lib_pod5, whose wheel has no headers. */
#include <stddef.h>
#include <stdint.h>

typedef struct Pod5FileReader Pod5FileReader_t;
typedef struct Pod5ReadRecordBatch Pod5ReadRecordBatch_t;
struct Pod5ReaderOptions {
    char force_disable_file_mapping;
};
struct ReadBatchRowInfoV3 {
    uint8_t read_id[16];
    uint32_t read_number;
    uint64_t start_sample;
    float median_before;
    uint16_t channel;
    uint8_t well;
    int16_t pore_type;
    float calibration_offset, calibration_scale;
    int16_t end_reason;
    uint8_t end_reason_forced;
    int16_t run_info;
    uint64_t num_minknow_events;
    float tracked_scaling_scale, tracked_scaling_shift;
    float predicted_scaling_scale, predicted_scaling_shift;
    uint32_t num_reads_since_mux_change;
    float time_since_mux_change;
    int64_t signal_row_count;
    uint64_t num_samples;
};

int pod5_init(void);
Pod5FileReader_t *pod5_open_file_options(const char *path, const struct Pod5ReaderOptions *options);
int pod5_close_and_free_reader(Pod5FileReader_t *reader);
int pod5_get_read_batch_count(size_t *count, const Pod5FileReader_t *reader);
int pod5_get_read_batch(Pod5ReadRecordBatch_t **batch, const Pod5FileReader_t *reader, size_t at);
int pod5_free_read_batch(Pod5ReadRecordBatch_t *batch);
int pod5_get_read_batch_row_count(size_t *count, const Pod5ReadRecordBatch_t *batch);
int pod5_get_read_batch_row_info_data(const Pod5ReadRecordBatch_t *batch, size_t row,
                                      uint16_t version, void *read, uint16_t *table_version);
int pod5_get_read_complete_signal(const Pod5FileReader_t *reader,
                                  const Pod5ReadRecordBatch_t *batch, size_t row, size_t count,
                                  int16_t *signal);
